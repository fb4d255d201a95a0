import type { DevicePageReport } from '../../../../src/admin/ui/device-page.ts';
import { post } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { AskButton } from '../../parts/ask-dialog.tsx';
import { useDoing } from '../../parts/doing.ts';
import { ProblemNotice } from '../../parts/notices.tsx';
import { count } from '../../parts/numbers.ts';
import { sayDone } from '../../parts/toast.tsx';
import { may } from '../../session.ts';
import { say } from './words.ts';

const shownMax = 50;

export const useWaitingForPeople = () => useLoaded('/device-list', { people_data: 'waits', limit: shownMax });

/** Sets whether some devices receive people's data, and says what was done, with the way back. */
function useDecision(changed: () => void) {
  const { busy, refused, run } = useDoing();
  const set = async (deviceIds: readonly string[], allowed: boolean) => {
    await post('/devices/people-data', { device_ids: deviceIds, allowed });
    sayDone(doneWords(deviceIds, allowed), () => decide(deviceIds, !allowed));
    changed();
  };
  const decide = (deviceIds: readonly string[], allowed: boolean) => run(() => set(deviceIds, allowed));
  return { busy, refusal: <ProblemNotice problem={refused.value} />, set, decide };
}

function doneWords(deviceIds: readonly string[], allowed: boolean): string {
  const [only = ''] = deviceIds;
  const said = say.value;
  if (deviceIds.length > 1)
    return allowed ? said.peopleApprovedMany(count(deviceIds.length)) : said.peopleStoppedMany(count(deviceIds.length));
  return allowed ? said.peopleApproved(only) : said.peopleStopped(only);
}

/** Devices that have logged in with the product key alone, until they are approved. */
export function WaitingForPeople({
  from,
  changed,
}: {
  from: ReturnType<typeof useWaitingForPeople>;
  changed: () => void;
}) {
  const said = say.value;
  const { busy, refusal, set, decide } = useDecision(changed);
  const { data } = from.loaded.value;
  const rows = data?.rows.filter(({ state }) => state !== 'blocked') ?? [];
  return (
    <>
      {refusal}
      {rows.length > 0 && (
        <section aria-labelledby="people-data">
          <h2 id="people-data">{said.peopleWaiting}</h2>
          <p class="quiet">{said.peopleWaitingLead}</p>
          <ul class="refused-devices">
            {rows.map(({ device_id, name }) => (
              <li key={device_id}>
                <a href={`/devices/${encodeURIComponent(device_id)}`}>
                  <b class="mono">{device_id}</b>
                </a>{' '}
                {name}{' '}
                {may('staff') && (
                  <button
                    type="button"
                    class="act"
                    disabled={busy.value}
                    aria-label={`${said.approve}: ${device_id}`}
                    onClick={() => decide([device_id], true)}
                  >
                    {said.approve}
                  </button>
                )}
              </li>
            ))}
          </ul>
          {may('staff') && rows.length > 1 && (
            <p class="bar">
              <AskButton
                label={said.approveAll(count(rows.length))}
                title={said.approveAllTitle(count(rows.length))}
                go={said.approveAll(count(rows.length))}
                run={() =>
                  set(
                    rows.map(({ device_id }) => device_id),
                    true,
                  )
                }
                done={() => {}}
              >
                <p>{said.approveAllLead}</p>
              </AskButton>
            </p>
          )}
          {data?.cursor != null && <p class="quiet">{said.morePeopleWaiting}</p>}
        </section>
      )}
    </>
  );
}

/** The same choice on the page of one device. */
export function PeopleDataOf({ device, changed }: { device: DevicePageReport; changed: () => void }) {
  const said = say.value;
  const { busy, refusal, set, decide } = useDecision(changed);
  const { people_data, device_id } = device;
  if (people_data === 'none') return null;
  const allowed = people_data === 'allowed';
  return (
    <>
      <p class={people_data === 'waits' ? 'notice' : 'bar'}>
        {said.peopleData[people_data]}{' '}
        {may('staff') &&
          (allowed ? (
            <AskButton
              label={said.stopPeople}
              title={said.stopPeopleTitle(device_id)}
              go={said.stopPeople}
              danger
              run={() => set([device_id], false)}
              done={() => {}}
            >
              <p>{said.stopPeopleLead}</p>
            </AskButton>
          ) : (
            <button type="button" class="act" disabled={busy.value} onClick={() => decide([device_id], true)}>
              {said.approve}
            </button>
          ))}
      </p>
      {refusal}
    </>
  );
}

import { useSignal } from '@preact/signals';
import type { DevicePageReport } from '../../../../src/admin/ui/device-page.ts';
import { post } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { useDoing } from '../../parts/doing.ts';
import { ProblemNotice } from '../../parts/notices.tsx';
import { count } from '../../parts/numbers.ts';
import { may } from '../../session.ts';
import { say } from './words.ts';

const shownMax = 50;

export const useWaitingForPeople = () => useLoaded('/device-list', { people_data: 'waits', limit: shownMax });

/** Sets whether some devices receive people's data, and shows a confirmation. */
function useDecision(changed: () => void) {
  const notice = useSignal('');
  const { busy, refused, run } = useDoing();
  const decide = (deviceIds: readonly string[], allowed: boolean) =>
    run(async () => {
      await post('/devices/people-data', { device_ids: deviceIds, allowed });
      const [only = ''] = deviceIds;
      notice.value = !allowed
        ? say.value.peopleStopped(only)
        : deviceIds.length === 1
          ? say.value.peopleApproved(only)
          : say.value.peopleApprovedMany(count(deviceIds.length));
      changed();
    });
  return { busy, notice, refused, decide };
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
  const { busy, notice, refused, decide } = useDecision(changed);
  const { data } = from.loaded.value;
  const rows = data?.rows.filter(({ state }) => state !== 'blocked') ?? [];
  return (
    <>
      <div role="status">{notice.value !== '' && <p class="notice ok">{notice.value}</p>}</div>
      <ProblemNotice problem={refused.value} />
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
              <button
                type="button"
                class="act"
                disabled={busy.value}
                onClick={() =>
                  decide(
                    rows.map(({ device_id }) => device_id),
                    true,
                  )
                }
              >
                {said.approveAll(count(rows.length))}
              </button>
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
  const { busy, notice, refused, decide } = useDecision(changed);
  const { people_data, device_id } = device;
  if (people_data === 'none') return null;
  const allowed = people_data === 'allowed';
  return (
    <>
      <p class={people_data === 'waits' ? 'notice' : 'bar'}>
        {said.peopleData[people_data]}{' '}
        {may('staff') && (
          <button
            type="button"
            class={allowed ? 'act danger' : 'act'}
            disabled={busy.value}
            onClick={() => decide([device_id], !allowed)}
          >
            {allowed ? said.stopPeople : said.approve}
          </button>
        )}
      </p>
      <div role="status">{notice.value !== '' && <p class="notice ok">{notice.value}</p>}</div>
      <ProblemNotice problem={refused.value} />
    </>
  );
}

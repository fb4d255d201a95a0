import type { PersonPunch } from '../../../../src/admin/ui/attendance-days.ts';
import { query } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { DeviceLink } from '../../parts/device-link.tsx';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { moment } from '../../parts/numbers.ts';
import { usePagePart } from '../../parts/page-part.ts';
import { Hash, Receipt } from '../../parts/receipt.tsx';
import { typeWords } from '../../words/punches.ts';
import { statementWords } from '../../words/statements.ts';
import '../devices/statements.css';
import { PunchMark, PunchTime } from './person-day.tsx';
import { said } from './words.ts';

/** A person's day as a sheet: the check-ins with their receipts, and what proves the day. */
export function PersonSheet({ extId, day }: { extId: string; day: string }) {
  const { loaded } = useLoaded('/people/{ext_id}', { ext_id: extId });
  const checkins = useLoaded('/people/{ext_id}/checkins', { ext_id: extId, from: day, to: day, limit: 500 });
  const { data: found, problem: failed } = checkins.loaded.value;
  const { data, problem } = loaded.value;
  usePagePart(data?.name || extId);
  const text = statementWords.value;
  if (problem?.status === 404) return <p class="sentence">{said.value.unknownPerson}</p>;
  const punches = found?.rows ?? [];
  const name = data?.name || extId;
  return (
    <>
      <p class="sentence">{text.personDay(name, day)}</p>
      <p class="back">
        <a href={`/attendance/person/${encodeURIComponent(extId)}${query({ day })}`}>{text.backToDay}</a>
      </p>
      <p class="bar">
        <button type="button" class="act" onClick={() => print()}>
          {text.print}
        </button>
      </p>
      <p class="quiet">{[data?.employee_num, data?.department].filter(Boolean).join(' · ')}</p>
      <ProblemNotice problem={problem} />
      <ProblemNotice problem={failed} again={checkins.reload} />
      {!found ? <Loading /> : <p>{punches.length === 0 ? text.noPunches : text.personPunches(punches.length)}</p>}
      {punches.map(punch => (
        <Punch key={punch.id} punch={punch} />
      ))}
      <Head day={day} />
      <p class="signature">{text.signature}</p>
    </>
  );
}

function Punch({ punch }: { punch: PersonPunch }) {
  const { loaded, reload } = useLoaded('/receipts', { checkin: punch.id });
  const { data, problem } = loaded.value;
  return (
    <section aria-label={moment(punch.at * 1000)}>
      <h2>
        <PunchTime row={punch} format={moment} /> {typeWords(punch.type)}
        {punch.device !== '' && (
          <>
            {' · '}
            <DeviceLink of={punch} />
          </>
        )}
      </h2>
      <PunchMark row={punch} />
      <ProblemNotice problem={problem} again={reload} />
      {data && <Receipt of={data} />}
    </section>
  );
}

/** The statement of the day, if it is made: its head proves later that the day was not changed. */
function Head({ day }: { day: string }) {
  const { loaded } = useLoaded('/statements/{day}', { day });
  const { data } = loaded.value;
  const text = statementWords.value;
  const hash = data?.devices.at(-1)?.hash ?? null;
  return (
    <section class="statement-proof" aria-label={text.boxHead}>
      {hash === null ? (
        <p class="quiet">{text.noHead}</p>
      ) : (
        <>
          <p>
            {text.boxHead}: {text.number} {data!.box.statement.no} <Hash of={hash} />
          </p>
          <p class="quiet">{text.proof}</p>
        </>
      )}
    </section>
  );
}

import type { CorrectionReport } from '../../../../src/admin/corrections.ts';
import type { PersonPunch } from '../../../../src/admin/ui/attendance-days.ts';
import { post, query } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { DeviceLink } from '../../parts/device-link.tsx';
import { useInUrl } from '../../parts/in-url.ts';
import { Loading, ProblemNotice } from '../../parts/notices.tsx';
import { now } from '../../parts/now.ts';
import { clock, day as dayOf, hourMinute, moment } from '../../parts/numbers.ts';
import { usePagePart } from '../../parts/page-part.ts';
import { Table } from '../../parts/table.tsx';
import { may } from '../../session.ts';
import { timeNote } from '../../words/clocks.ts';
import { typeWords } from '../../words/punches.ts';
import { statementWords } from '../../words/statements.ts';
import { AddCheckIn, WithReason } from './correcting.tsx';
import { correctionWords } from './correction-words.ts';
import { Corrections, Undo } from './corrections.tsx';
import { dayAfter, dayBefore, dayName } from './dates.ts';
import { DayMark } from './day-mark.tsx';
import { monthWords } from './month-words.ts';
import { MoveCheckIn } from './moving.tsx';
import { hours, markOf, type ResultDay, wordsOf } from './results.ts';
import { said } from './words.ts';

/** A person's day: the plan, every check-in and what it counts as, what was corrected, and what can be. */
export function PersonDay({ extId, day }: { extId: string; day: string }) {
  const { set } = useInUrl();
  const person = useLoaded('/people/{ext_id}', { ext_id: extId }).loaded.value;
  usePagePart(person.data?.name || extId);
  const text = correctionWords.value;
  if (person.problem?.status === 404) return <p class="sentence">{said.value.unknownPerson}</p>;
  return (
    <>
      <p class="sentence">{text.dayOf(person.data?.name || extId, dayName(day))}</p>
      <p>
        <a href={`/attendance/person/${encodeURIComponent(extId)}${query({ month: day.slice(0, 7) })}`}>
          {text.backToMonth}
        </a>
      </p>
      <div class="bar">
        <button type="button" class="act" onClick={() => set({ day: dayBefore(day) })}>
          <span aria-hidden="true">‹ </span>
          {said.value.before}
        </button>
        <button type="button" class="act" onClick={() => set({ day: dayAfter(day) })}>
          {said.value.after}
          <span aria-hidden="true"> ›</span>
        </button>
        <a class="act" href={`/attendance/person/${encodeURIComponent(extId)}/${day}`}>
          {statementWords.value.sheetLink}
        </a>
      </div>
      <DayBody extId={extId} day={day} />
    </>
  );
}

/** The same without its heading; `changed` is called after a correction. */
export function DayBody({ extId, day, changed }: { extId: string; day: string; changed?: () => void }) {
  const next = dayAfter(day);
  const results = useLoaded('/attendance/results', { person: extId, from: day, to: day, with: 'punches' });
  // A night ends on the next day.
  // A check-in may be moved to a day from the two before it and after it.
  const around = { from: dayBefore(dayBefore(day)), to: dayAfter(next) };
  const punches = useLoaded('/people/{ext_id}/checkins', { ext_id: extId, ...around, limit: 500 });
  const corrections = useLoaded('/attendance/corrections', { person: extId, ...around });
  const { data, problem } = punches.loaded.value;
  const corrected = corrections.loaded.value;
  const computed = results.loaded.value;
  const result = computed.data?.rows[0]?.days[0];
  const text = correctionWords.value;
  const reload = () => {
    results.reload();
    punches.reload();
    corrections.reload();
    changed?.();
  };
  const twoPersons = corrected.data?.second_person ?? false;
  const rows = result && data ? rowsOf(result, data.rows, day) : null;
  const missing = result && missingOf(result);
  return (
    <>
      <ProblemNotice problem={problem ?? corrected.problem ?? computed.problem} again={reload} />
      {!rows && !problem && !computed.problem && <Loading rows={2} />}
      {result && <DayResult result={result} />}
      {rows && <CheckIns extId={extId} day={day} rows={rows} changed={reload} />}
      {rows && may('staff') && (
        <AddCheckIn
          key={`${missing?.day ?? day} ${missing?.time ?? ''}`}
          extId={extId}
          day={missing?.day ?? day}
          time={missing?.time ?? ''}
          twoPersons={twoPersons}
          done={reload}
        />
      )}
      {corrected.data && (
        <section aria-labelledby="corrections">
          <h2 id="corrections">{text.corrections}</h2>
          <Corrections
            rows={corrected.data.rows.filter(row => isAbout(row, corrected.data!.rows, [day, next]))}
            twoPersons={twoPersons}
            withPerson={false}
            changed={reload}
          />
        </section>
      )}
    </>
  );
}

/** Of check-ins of these days, or of one that is moved to the first of them; with the undo of each. */
function isAbout(row: CorrectionReport, rows: readonly CorrectionReport[], days: readonly string[]): boolean {
  const reversed = rows.find(({ id }) => id === row.reverses);
  const workDate = row.work_date ?? reversed?.work_date ?? null;
  return days.includes(dayOf(row.at * 1000)) || workDate === days[0];
}

/** A check-in with what it counts as; without a plan it counts as nothing. */
interface UsedPunch {
  readonly punch: PersonPunch;
  readonly use: ResultDay['punches'][number] | null;
}

/** With a plan those of the work date, else those of the calendar day. */
function rowsOf(result: ResultDay, punches: readonly PersonPunch[], day: string): UsedPunch[] {
  if (result.kind === 'none') return ofDay(punches, day).map(punch => ({ punch, use: null }));
  const byId = new Map(punches.map(punch => [punch.id, punch]));
  return result.punches.flatMap(use => {
    const punch = byId.get(use.punch_id);
    return punch ? [{ punch, use }] : [];
  });
}

const ofDay = (punches: readonly PersonPunch[], day: string): readonly PersonPunch[] =>
  punches.filter(punch => dayOf(punch.at * 1000) === day);

/** The time of the plan at which a check-in is missing, if one is. */
function missingOf(result: ResultDay): { readonly day: string; readonly time: string } | null {
  for (const { state, planned_on: on, planned_off: off, in: start } of result.segments) {
    const isAwaited = start === null && state !== 'leave' && state !== 'not_worked';
    const at = state === 'missing_out' ? off : isAwaited ? on : null;
    if (at !== null && at * 1000 <= now.peek())
      return { day: dayOf(at * 1000), time: hourMinute(at * 1000).slice(0, 5) };
  }
  return null;
}

/** The plan, what came of it, and what has to be said of it. */
function DayResult({ result }: { result: ResultDay }) {
  const text = monthWords.value;
  if (result.kind === 'none') return <p class="quiet">{text.noPlan}</p>;
  const minute = (at: number) => hourMinute(at * 1000);
  return (
    <section aria-labelledby="day-result">
      <h2 id="day-result">{text.result}</h2>
      <p class="day-result">
        <DayMark mark={markOf(result)} /> {text.kinds[result.kind]}: {wordsOf(result)}
      </p>
      {result.segments.map(({ shift, planned_on: on, planned_off: off }, index) => (
        <p key={index} class="quiet">
          {on === null || off === null ? shift : text.planned(shift, minute(on), minute(off))}
        </p>
      ))}
      {result.minutes.worked > 0 && (
        <p>
          {text.worked}: <span class="mono">{hours(result.minutes.worked)}</span>
        </p>
      )}
    </section>
  );
}

function CheckIns({
  extId,
  day,
  rows,
  changed,
}: {
  extId: string;
  day: string;
  rows: readonly UsedPunch[];
  changed: () => void;
}) {
  const text = correctionWords.value;
  const words = monthWords.value;
  const roles = rows.some(({ use }) => use !== null)
    ? [
        {
          key: 'role',
          title: words.role,
          cell: ({ use }: UsedPunch) => use && roleWords(use),
        },
      ]
    : [];
  return (
    <section aria-labelledby="checkins">
      <h2 id="checkins">{text.checkins}</h2>
      <Table
        caption={text.checkins}
        rows={rows}
        rowKey={({ punch, use }) => `${punch.id} ${use?.segment ?? ''}`}
        empty={text.none}
        columns={[
          { key: 'time', title: said.value.time, cell: ({ punch }) => <PunchTime row={punch} /> },
          ...roles,
          { key: 'type', title: said.value.type, cell: ({ punch }) => typeWords(punch.type) },
          { key: 'terminal', title: said.value.terminal, cell: ({ punch }) => <PunchPlace row={punch} /> },
          { key: 'note', title: text.reason, cell: ({ punch }) => <PunchMark row={punch} /> },
          { key: 'state', title: said.value.state, cell: ({ punch }) => <ReceiptLink row={punch} /> },
          ...(may('staff')
            ? [
                {
                  key: 'act',
                  title: '',
                  cell: ({ punch, use }: UsedPunch) => (
                    <Act extId={extId} day={day} row={punch} use={use} done={changed} />
                  ),
                },
              ]
            : []),
        ]}
      />
    </section>
  );
}

function roleWords({ role, reason, minutes }: ResultDay['punches'][number]): string {
  const text = monthWords.value;
  const why = reason === null ? '' : text.reasons[reason](minutes ?? 0);
  return why === '' ? text.roles[role] : `${text.roles[role]}: ${why}`;
}

/** Struck through when it is set aside. */
export const PunchTime = ({ row, format = clock }: { row: PersonPunch; format?: (at: number) => string }) => {
  const time = format(row.at * 1000);
  return <span class="mono">{row.set_aside ? <s>{time}</s> : time}</span>;
};

export const PunchPlace = ({ row }: { row: PersonPunch }) => {
  const note = timeNote(row);
  if (row.source === 'added') return null;
  return (
    <span class={note === '' ? undefined : 'in-text'}>
      <DeviceLink of={row} />
      {note !== '' && <span class="warn"> {note}</span>}
    </span>
  );
};

/** Where it is on its way to the cloud: opens its receipt. */
export const ReceiptLink = ({ row }: { row: PersonPunch }) => (
  <a
    href={`/attendance/record/checkin/${row.id}`}
    title={row.confirmed_at === null ? undefined : moment(row.confirmed_at)}
  >
    {said.value.states[row.state]}
  </a>
);

export const PunchMark = ({ row }: { row: PersonPunch }) => {
  const text = correctionWords.value;
  if (row.set_aside) return <span class="warn">{text.setAsideWhy(row.reason)}</span>;
  if (row.work_date !== null) return <b>{text.movedWhy(row.work_date, row.reason)}</b>;
  return row.source === 'added' ? <b>{text.addedWhy(row.reason)}</b> : null;
};

function Act({
  extId,
  day,
  row,
  use,
  done,
}: {
  extId: string;
  day: string;
  row: PersonPunch;
  use: UsedPunch['use'];
  done: () => void;
}) {
  const text = correctionWords.value;
  if (row.source === 'added' && row.set_aside) return null;
  // Without a plan a check-in counts on no date, so it can be moved to none.
  const move = use && row.work_date === null && !row.set_aside && (
    <MoveCheckIn extId={extId} day={day} row={row} counts={use.role !== 'unplaced'} done={done} />
  );
  return (
    <span class="bar">
      {row.correction === null ? (
        <WithReason
          label={text.act}
          title={text.actOf(clock(row.at * 1000))}
          hint={text.actHint}
          danger
          run={reason =>
            post('/attendance/corrections', {
              kind: 'set_aside',
              items: [{ ext_id: extId, checkin: row.id }],
              reason,
            })
          }
          done={done}
        />
      ) : (
        <Undo id={row.correction} done={done} />
      )}
      {move}
    </span>
  );
}

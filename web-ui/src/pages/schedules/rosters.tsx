import { useSignal } from '@preact/signals';
import type { RosterFacts } from '../../../../src/admin/ui/plan-shapes.ts';
import type { PlanReport } from '../../../../src/admin/ui/schedules.ts';
import { inCycle } from '../../../../src/platform/shifts.ts';
import { weekdayOf } from '../../../../src/runtime/calendar-date.ts';
import { erase } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { useInUrl } from '../../parts/in-url.ts';
import { Loading, ProblemNotice, Refused } from '../../parts/notices.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { sayDone } from '../../parts/toast.tsx';
import { may } from '../../session.ts';
import { words } from '../../words/index.ts';
import { useDoing } from './doing.ts';
import { RosterForm } from './roster-form.tsx';
import { TargetLink } from './target-link.tsx';
import { Views } from './views.tsx';
import { said, targetName } from './words.ts';

/** Rosters: people and departments, their shifts, and from when. */
export function Rosters() {
  const { values, set } = useInUrl();
  const { loaded, reload } = useLoaded('/schedules', { past: values.past === 'true' ? 'true' : 'false' });
  const edited = useSignal<RosterFacts | 'new' | null>(null);
  const removed = useSignal<RosterFacts | null>(null);
  const { data, problem } = loaded.value;
  const text = said.value;
  if (!data) return problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />;
  const close = () => {
    edited.value = null;
    removed.value = null;
  };
  const done = (sentence: string) => {
    sayDone(sentence);
    close();
    reload();
  };
  return (
    <>
      <p class="sentence">{data.rosters.length === 0 ? text.noRosters : text.rosterSentence(data.rosters.length)}</p>
      <Views view="rosters" />
      <p class="quiet">{text.rosterLead}</p>
      {data.cut && <p class="notice">{text.cut}</p>}
      <div class="bar">
        {may('staff') &&
          (data.shifts.length === 0 ? (
            <a class="act go" href="/schedules">
              {text.addShift}
            </a>
          ) : (
            <button type="button" class="act go" onClick={() => (edited.value = 'new')}>
              {text.addRoster}
            </button>
          ))}
        {may('staff') && (
          <a class="act" href="/schedules/import">
            {text.importFile}
          </a>
        )}
        <label class="check">
          <input
            type="checkbox"
            checked={values.past === 'true'}
            onChange={event => set({ past: event.currentTarget.checked ? 'true' : undefined })}
          />
          {text.withPast}
        </label>
      </div>
      <Table
        caption={text.rosters}
        rows={data.rosters.toReversed()}
        rowKey={row => row.id}
        empty={text.noRosters}
        columns={columns(
          data,
          row => (edited.value = row),
          row => (removed.value = row),
        )}
      />
      {edited.value && (
        <RosterForm edited={edited.value === 'new' ? null : edited.value} plans={data} close={close} done={done} />
      )}
      {removed.value && <RemoveRoster roster={removed.value} close={close} done={done} />}
    </>
  );
}

function columns(
  { shifts, today }: PlanReport,
  edit: (row: RosterFacts) => void,
  remove: (row: RosterFacts) => void,
): Column<RosterFacts>[] {
  const text = said.value;
  const names = new Map(shifts.map(({ code, name }) => [code, name]));
  const found: Column<RosterFacts>[] = [
    { key: 'who', title: text.who, cell: row => <TargetLink target={row.target} name={row.name} /> },
    { key: 'cycle', title: text.works, cell: row => <Cycle row={row} names={names} today={today} /> },
    {
      key: 'span',
      title: text.when,
      cell: row => (
        <>
          {text.span(row.from, row.to)}
          {row.from > today && <span class="quiet"> {text.notYet}</span>}
          {row.to !== null && row.to < today && <span class="quiet"> {text.over}</span>}
        </>
      ),
    },
  ];
  if (may('staff'))
    found.push({
      key: 'act',
      title: '\u00a0',
      cell: row => (
        <span class="acts">
          <button
            type="button"
            class="act"
            aria-label={text.editOf(targetName(row.target, row.name))}
            onClick={() => edit(row)}
          >
            {text.edit}
          </button>
          <button
            type="button"
            class="act danger"
            aria-label={text.removeOf(targetName(row.target, row.name))}
            onClick={() => remove(row)}
          >
            {words.value.act.remove}
          </button>
        </span>
      ),
    });
  return found;
}

/** The days of a cycle as cells: a week by its days, another by their numbers. */
function Cycle({ row, names, today }: { row: RosterFacts; names: ReadonlyMap<string, string>; today: string }) {
  const text = said.value;
  const nameOf = (code: string | null) => (code === null ? text.off : (names.get(code) ?? code));
  const isWeek = row.cycle.length === 7 && weekdayOf(row.anchor) === 1;
  return (
    <>
      <ol class="cycle">
        {row.cycle.map((code, index) => (
          <li key={index} class={code === null ? 'off' : undefined}>
            <small>{isWeek ? text.weekdays[index] : text.day(index + 1)}</small>
            <span>{nameOf(code)}</span>
          </li>
        ))}
      </ol>
      {!isWeek && row.cycle.length > 1 && (
        <span class="quiet">{text.todayIs(nameOf(inCycle(row.cycle, row.anchor, today)))}</span>
      )}
    </>
  );
}

function RemoveRoster({
  roster,
  close,
  done,
}: {
  roster: RosterFacts;
  close: () => void;
  done: (sentence: string) => void;
}) {
  const { busy, refused, run } = useDoing();
  const text = said.value;
  const name = targetName(roster.target, roster.name);
  return (
    <Dialog title={text.removeOf(name)} close={close}>
      <form
        onSubmit={event => {
          event.preventDefault();
          void run(async () => {
            await erase('/schedules/rosters/{id}', { id: roster.id });
            done(text.removed(name));
          });
        }}
      >
        <p>{text.removeRoster}</p>
        <Refused text={refused.value} />
        <DialogButtons go={words.value.act.remove} busy={busy.value} danger close={close} />
      </form>
    </Dialog>
  );
}

import { useSignal } from '@preact/signals';
import type { ShiftFacts } from '../../../../src/admin/ui/plan-shapes.ts';
import { firstVersion } from '../../../../src/platform/shifts.ts';
import { erase } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { useDoInUrl } from '../../parts/do-in-url.ts';
import { Empty } from '../../parts/empty.tsx';
import { Loading, ProblemNotice, Refused } from '../../parts/notices.tsx';
import { sayDone } from '../../parts/toast.tsx';
import { may } from '../../session.ts';
import { words } from '../../words/index.ts';
import { useDoing } from './doing.ts';
import { ShiftBar, timesWords } from './shift-bar.tsx';
import { ShiftForm } from './shift-form.tsx';
import { Views } from './views.tsx';
import { said } from './words.ts';

/** The shifts of the site, each with its versions. */
export function Shifts() {
  const { loaded, reload } = useLoaded('/schedules');
  const edited = useSignal<ShiftFacts | 'new' | null>(null);
  const removed = useSignal<ShiftFacts | null>(null);
  useDoInUrl('add-shift', () => (edited.value = may('staff') ? 'new' : null));
  const { data, problem } = loaded.value;
  const text = said.value;
  if (!data) return problem ? <ProblemNotice problem={problem} again={reload} /> : <Loading />;
  const codes = Map.groupBy(data.shifts, ({ code }) => code);
  const close = () => {
    edited.value = null;
    removed.value = null;
  };
  const done = (sentence: string) => {
    sayDone(sentence);
    close();
    reload();
  };
  const add = (
    <button type="button" class="act go" onClick={() => (edited.value = 'new')}>
      {text.addShift}
    </button>
  );
  return (
    <>
      <p class="sentence">{codes.size === 0 ? text.noShifts : text.sentence(codes.size, data.rosters.length)}</p>
      <Views view="shifts" />
      {codes.size > 0 && data.rosters.length === 0 && (
        <p class="notice">
          {text.nobodyPlanned} <a href="/schedules/rosters">{text.rosters}</a>
        </p>
      )}
      {may('staff') && (
        <p class="bar">
          {codes.size > 0 && add}
          <a class="act" href="/schedules/import">
            {text.importFile}
          </a>
        </p>
      )}
      {codes.size === 0 ? (
        <Empty name="schedules" action={may('staff') && add}>
          {text.beginShifts}
        </Empty>
      ) : (
        <ul class="shifts">
          {[...codes.values()].map(versions => (
            <Shift
              key={versions[0]!.code}
              versions={versions}
              today={data.today}
              edit={shift => (edited.value = shift)}
              remove={shift => (removed.value = shift)}
            />
          ))}
        </ul>
      )}
      {edited.value && (
        <ShiftForm
          edited={edited.value === 'new' ? null : edited.value}
          today={data.today}
          taken={[...codes.keys()]}
          close={close}
          done={done}
        />
      )}
      {removed.value && <RemoveShift shift={removed.value} close={close} done={done} />}
    </>
  );
}

/** Versions of a shift: today's first, then future ones, then past ones. */
function Shift({
  versions,
  today,
  edit,
  remove,
}: {
  versions: readonly ShiftFacts[];
  today: string;
  edit: (shift: ShiftFacts) => void;
  remove: (shift: ShiftFacts) => void;
}) {
  const text = said.value;
  const now = versions.findLast(({ valid_from }) => valid_from <= today) ?? versions[0]!;
  const others = versions.filter(one => one !== now);
  return (
    <li>
      <div class="shift">
        <div>
          <b>{now.name}</b> <span class="mono quiet">{now.code}</span>
          <div>{timesWords(now)}</div>
          {now.late_grace + now.early_grace > 0 && (
            <div class="quiet">{text.graces(now.late_grace, now.early_grace)}</div>
          )}
        </div>
        <ShiftBar shift={now} />
        {may('staff') && (
          <span class="acts">
            <button type="button" class="act" aria-label={text.editOf(now.name)} onClick={() => edit(now)}>
              {text.edit}
            </button>
            <button type="button" class="act danger" aria-label={text.removeOf(now.name)} onClick={() => remove(now)}>
              {words.value.act.remove}
            </button>
          </span>
        )}
      </div>
      {others.map(one => (
        <p key={one.valid_from} class="quiet">
          {one.valid_from === firstVersion ? text.before : text.from(one.valid_from)} {timesWords(one)}
        </p>
      ))}
    </li>
  );
}

function RemoveShift({
  shift,
  close,
  done,
}: {
  shift: ShiftFacts;
  close: () => void;
  done: (sentence: string) => void;
}) {
  const { busy, refused, run } = useDoing();
  const text = said.value;
  return (
    <Dialog title={text.removeOf(shift.name)} close={close}>
      <form
        onSubmit={event => {
          event.preventDefault();
          void run(async () => {
            await erase('/schedules/shifts/{code}', { code: shift.code });
            done(text.removed(shift.name));
          });
        }}
      >
        <p>{text.removeShift(shift.name)}</p>
        <Refused text={refused.value} />
        <DialogButtons go={words.value.act.remove} busy={busy.value} danger close={close} />
      </form>
    </Dialog>
  );
}

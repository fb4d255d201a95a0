import { useSignal } from '@preact/signals';
import type { ShiftFacts } from '../../../../src/admin/ui/plan-shapes.ts';
import { readSpan } from '../../../../src/platform/shift-times.ts';
import { firstVersion, minuteText, shiftDefaults } from '../../../../src/platform/shifts.ts';
import { post, put } from '../../api.ts';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { Choice, chosen, Field, text as written } from '../../parts/field.tsx';
import { Refused } from '../../parts/notices.tsx';
import { words } from '../../words/index.ts';
import { type Change, PastNotice } from '../people/past.tsx';
import { useDoing } from './doing.ts';
import { said } from './words.ts';

/** Defaults of a new shift. */
const fresh: Omit<ShiftFacts, 'code' | 'name'> = {
  ...{ valid_from: firstVersion, kind: 'fixed', breaks: [{ from: 720, to: 780, paid: false }] },
  segments: [{ on: 540, off: 1080, before: 180, after: 360, need_in: true, need_out: true }],
  ...{ late_grace: 5, early_grace: 5, flex_late: 60, flex_early: 0, late_off_late_on: [], required_minutes: 480 },
  overtime: { before: false, after: true, min: shiftDefaults.overtimeMinutes, step: shiftDefaults.overtimeMinutes },
  counting: 'first_last',
};

const ofDay = (minute: number): string => minuteText(minute % 1440);

/** Adds a shift, or a version of `edited` that holds from a date on. */
export function ShiftForm({
  edited,
  today,
  taken,
  close,
  done,
}: {
  edited: ShiftFacts | null;
  today: string;
  taken: readonly string[];
  close: () => void;
  done: (sentence: string) => void;
}) {
  const { busy, refused, run } = useDoing();
  const text = said.value;
  const shown = edited ?? fresh;
  const past = useSignal<Change | null>(null);
  const kind = useSignal(shown.kind);
  const [first = fresh.segments[0]!, second] = shown.segments;
  const [pause] = edited ? edited.breaks : fresh.breaks;
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    void run(async () => {
      const code = edited?.code ?? written(form, 'code');
      if (!edited && taken.includes(code)) throw new Error(text.codeTaken(code));
      const name = written(form, 'name');
      const body = { code, name, ...shiftOf(form, edited ?? fresh) };
      if (edited && body.valid_from < today && past.peek() === null) {
        const change = await post('/schedules/previews/shift', body);
        if (change.days > 0) {
          past.value = change;
          return;
        }
      }
      await put('/schedules/shifts/{code}', body);
      done(text.saved(name));
    });
  };
  return (
    <Dialog title={edited ? text.editOf(edited.name) : text.addShift} close={close}>
      <form class="fields" onSubmit={save} onInput={() => (past.value = null)}>
        <Field label={text.name} name="name" required maxLength={30} defaultValue={edited?.name} />
        {!edited && (
          <Field
            label={text.code}
            hint={text.codeHint}
            name="code"
            placeholder={text.codeExample}
            required
            maxLength={32}
          />
        )}
        {edited && (
          <Field
            label={text.validFrom}
            hint={text.validFromHint}
            type="date"
            name="valid_from"
            defaultValue={edited.valid_from > today ? edited.valid_from : today}
          />
        )}
        {kind.value === 'free' ? (
          <Minutes label={text.required} name="required_minutes" value={shown.required_minutes} />
        ) : (
          <>
            <div class="pair">
              <Field label={text.start} type="time" name="on" required defaultValue={ofDay(first.on)} />
              <Field label={text.end} type="time" name="off" required defaultValue={ofDay(first.off)} />
            </div>
            <div class="pair">
              <Field
                label={text.breakFrom}
                type="time"
                name="break_from"
                defaultValue={pause ? ofDay(pause.from) : ''}
              />
              <Field label={text.breakTo} type="time" name="break_to" defaultValue={pause ? ofDay(pause.to) : ''} />
            </div>
            <p class="quiet">{text.timesHint}</p>
            <div class="pair">
              <Minutes label={text.lateGrace} name="late_grace" value={shown.late_grace} />
              <Minutes label={text.earlyGrace} name="early_grace" value={shown.early_grace} />
            </div>
          </>
        )}
        <details>
          <summary>{text.more}</summary>
          <Choice
            label={text.kind}
            name="kind"
            value={kind.value}
            onChange={event => (kind.value = event.currentTarget.value as ShiftFacts['kind'])}
          >
            {(['fixed', 'flexible', 'free'] as const).map(one => (
              <option key={one} value={one} selected={one === kind.value}>
                {text.kinds[one]}
              </option>
            ))}
          </Choice>
          {kind.value === 'flexible' && (
            <div class="pair">
              <Minutes label={text.flexLate} name="flex_late" value={shown.flex_late} />
              <Minutes label={text.flexEarly} name="flex_early" value={shown.flex_early} />
            </div>
          )}
          {kind.value !== 'free' && (
            <>
              <div class="pair">
                <Field label={text.start2} type="time" name="on2" defaultValue={second ? ofDay(second.on) : ''} />
                <Field label={text.end2} type="time" name="off2" defaultValue={second ? ofDay(second.off) : ''} />
              </div>
              <div class="pair">
                <Minutes label={text.windowBefore} name="before" value={first.before} />
                <Minutes label={text.windowAfter} name="after" value={first.after} />
              </div>
              <Check label={text.needIn} name="need_in" on={first.need_in} />
              <Check label={text.needOut} name="need_out" on={first.need_out} />
              <Check label={text.paidBreak} name="paid" on={pause?.paid ?? false} />
            </>
          )}
          <Choice label={text.counting} name="counting">
            {(['first_last', 'pairs'] as const).map(one => (
              <option key={one} value={one} selected={one === shown.counting}>
                {text.countings[one]}
              </option>
            ))}
          </Choice>
          <Check label={text.overtimeAfter} name="ot_after" on={shown.overtime.after} />
          <Check label={text.overtimeBefore} name="ot_before" on={shown.overtime.before} />
          <div class="pair">
            <Minutes label={text.overtimeMin} name="ot_min" value={shown.overtime.min} />
            <Minutes label={text.overtimeStep} name="ot_step" value={shown.overtime.step} min={1} />
          </div>
        </details>
        <PastNotice change={past.value} />
        <Refused text={refused.value} />
        <DialogButtons go={words.value.act.save} busy={busy.value} close={close} />
      </form>
    </Dialog>
  );
}

const Minutes = ({ label, name, value, min = 0 }: { label: string; name: string; value: number; min?: number }) => (
  <Field label={label} type="number" name={name} min={min} max={1440} required defaultValue={String(value)} />
);

const Check = ({ label, name, on }: { label: string; name: string; on: boolean }) => (
  <label class="check">
    <input type="checkbox" name={name} defaultChecked={on} />
    {label}
  </label>
);

/** As the form has it; what it does not ask stays as it was in `before`. */
function shiftOf(form: FormData, before: Omit<ShiftFacts, 'code' | 'name'>): Omit<ShiftFacts, 'code' | 'name'> {
  const number = (name: string, byDefault: number) => (form.has(name) ? Number(form.get(name)) : byDefault);
  const kind = chosen(form, 'kind', ['fixed', 'flexible', 'free']);
  const more = {
    before: number('before', shiftDefaults.before),
    after: number('after', shiftDefaults.after),
    need_in: form.has('need_in'),
    need_out: form.has('need_out'),
  };
  const span = (from: string, to: string, after?: number) =>
    kind === 'free' ? null : readSpan(`${written(form, from)}-${written(form, to)}`, after);
  const first = span('on', 'off');
  const second = span('on2', 'off2', first?.from);
  const pause = span('break_from', 'break_to', first?.from);
  const segments = [first, second].flatMap(one => (one ? [{ on: one.from, off: one.to, ...more }] : []));
  const breaks = pause ? [{ ...pause, paid: form.has('paid') }, ...before.breaks.slice(1)] : [];
  return {
    valid_from: written(form, 'valid_from') || firstVersion,
    kind,
    segments: kind === 'free' ? [] : [...segments, ...before.segments.slice(2)],
    breaks,
    late_grace: number('late_grace', 0),
    early_grace: number('early_grace', 0),
    flex_late: kind === 'flexible' ? number('flex_late', 0) : 0,
    flex_early: kind === 'flexible' ? number('flex_early', 0) : 0,
    late_off_late_on: before.late_off_late_on,
    required_minutes: kind === 'free' ? number('required_minutes', 0) : 0,
    overtime: {
      before: form.has('ot_before'),
      after: form.has('ot_after'),
      min: number('ot_min', 30),
      step: number('ot_step', 30),
    },
    counting: chosen(form, 'counting', ['first_last', 'pairs']),
  };
}

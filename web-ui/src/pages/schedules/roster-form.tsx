import { useSignal } from '@preact/signals';
import type { RosterFacts } from '../../../../src/admin/ui/plan-shapes.ts';
import type { PlanReport } from '../../../../src/admin/ui/schedules.ts';
import { shiftLimits } from '../../../../src/platform/shifts.ts';
import { mondayOf, weekdayOf } from '../../../../src/runtime/calendar-date.ts';
import { post, put } from '../../api.ts';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { Choice, Field, text as written } from '../../parts/field.tsx';
import { Refused } from '../../parts/notices.tsx';
import { words } from '../../words/index.ts';
import { type Change, PastNotice } from '../people/past.tsx';
import { useDoing } from './doing.ts';
import { TargetChoice, targetIn } from './target-choice.tsx';
import { said, targetName } from './words.ts';

type Days = readonly (string | null)[];

/** Says who works what from a date on, or changes `edited`. */
export function RosterForm({
  edited,
  plans,
  close,
  done,
}: {
  edited: RosterFacts | null;
  plans: PlanReport;
  close: () => void;
  done: (sentence: string) => void;
}) {
  const { busy, refused, run } = useDoing();
  const text = said.value;
  const codes = [...new Map(plans.shifts.map(({ code, name }) => [code, name]))];
  const first = codes[0]?.[0] ?? null;
  const past = useSignal<Change | null>(null);
  const isPast = ({ from }: { from: string }) => from < plans.today || (edited !== null && edited.from < plans.today);
  const isWeek = useSignal(edited === null || (edited.cycle.length === 7 && weekdayOf(edited.anchor) === 1));
  const days = useSignal<Days>(edited?.cycle ?? [first, first, first, first, first, null, null]);
  const set = (index: number, code: string | null) => {
    days.value = days.value.map((one, at) => (at === index ? code : one));
  };
  const resized = (length: number): Days =>
    Array.from({ length }, (_, index) => days.value[index] ?? (index < days.value.length ? null : first));
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const from = written(form, 'from');
    const body = {
      target: targetIn(form),
      cycle: [...days.value],
      from,
      to: written(form, 'to') || null,
      anchor: isWeek.value ? mondayOf(from) : written(form, 'anchor') || from,
    };
    void run(async () => {
      if (isPast(body) && past.peek() === null) {
        const change = await post('/schedules/previews/roster', { ...body, id: edited?.id ?? null });
        if (change.days > 0) {
          past.value = change;
          return;
        }
      }
      if (edited) await put('/schedules/rosters/{id}', { id: edited.id, ...body });
      else await post('/schedules/rosters', body);
      done(text.rosterSaved);
    });
  };
  return (
    <Dialog title={edited ? text.editOf(targetName(edited.target, edited.name)) : text.addRoster} close={close}>
      <form class="fields" onSubmit={save} onInput={() => (past.value = null)}>
        <TargetChoice initial={edited?.target ?? { kind: 'site', ext_id: '' }} name={edited?.name ?? ''} />
        <Choice
          label={text.pattern}
          name="pattern"
          onChange={event => {
            isWeek.value = event.currentTarget.value === 'week';
            if (isWeek.value) days.value = resized(7);
          }}
        >
          <option value="week" selected={isWeek.value}>
            {text.week}
          </option>
          <option value="cycle" selected={!isWeek.value}>
            {text.cycle}
          </option>
        </Choice>
        {!isWeek.value && (
          <div class="pair">
            <Field
              label={text.cycleLength}
              type="number"
              min={1}
              max={shiftLimits.cycleMax}
              required
              value={String(days.value.length)}
              onChange={event => {
                const length = Number(event.currentTarget.value);
                if (length >= 1 && length <= shiftLimits.cycleMax) days.value = resized(length);
              }}
            />
            <Field
              label={text.anchor}
              type="date"
              name="anchor"
              required
              defaultValue={edited?.anchor ?? plans.today}
            />
          </div>
        )}
        <fieldset class="days">
          <legend>{text.works}</legend>
          {days.value.map((code, index) => (
            <Choice
              key={index}
              label={isWeek.value ? text.weekdays[index]! : text.day(index + 1)}
              onChange={event => set(index, event.currentTarget.value || null)}
            >
              <option value="" selected={code === null}>
                {text.off}
              </option>
              {codes.map(([one, name]) => (
                <option key={one} value={one} selected={one === code}>
                  {name}
                </option>
              ))}
            </Choice>
          ))}
        </fieldset>
        <div class="pair">
          <Field label={text.fromDay} type="date" name="from" required defaultValue={edited?.from ?? plans.today} />
          <Field
            label={text.toDay}
            hint={text.toDayHint}
            type="date"
            name="to"
            defaultValue={edited?.to ?? undefined}
          />
        </div>
        <PastNotice change={past.value} />
        <Refused text={refused.value} />
        <DialogButtons go={words.value.act.save} busy={busy.value} close={close} />
      </form>
    </Dialog>
  );
}

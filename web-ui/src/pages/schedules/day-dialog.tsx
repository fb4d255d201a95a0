import { useSignal } from '@preact/signals';
import type { CalendarReport } from '../../../../src/admin/ui/schedules.ts';
import { erase, post } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { Choice, chosen, Field, text as written } from '../../parts/field.tsx';
import { Refused } from '../../parts/notices.tsx';
import { words } from '../../words/index.ts';
import { useDoing } from './doing.ts';
import { TargetChoice, targetIn } from './target-choice.tsx';
import { TargetLink } from './target-link.tsx';
import { said, targetName, whatWords } from './words.ts';

type Day = CalendarReport['days'][number];
const kinds = ['rest', 'workday', 'legal_holiday', 'makeup', 'shift'] as const;

/** Entries of the site for one day, and a form for one more. */
export function DayDialog({ day, close, changed }: { day: Day; close: () => void; changed: () => void }) {
  const { busy, refused, run } = useDoing();
  const { loaded } = useLoaded('/schedules');
  const kind = useSignal<(typeof kinds)[number]>(day.break ? 'workday' : 'rest');
  const text = said.value;
  const shifts = [...new Map((loaded.value.data?.shifts ?? []).map(({ code, name }) => [code, name]))];
  const whatIn = (form: FormData) => {
    const what = chosen(form, 'kind', kinds);
    if (what === 'makeup') return { kind: what, weekday: Number(form.get('weekday')) };
    return what === 'shift' ? { kind: what, code: String(form.get('code') ?? '') } : { kind: what };
  };
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    void run(async () => {
      await post('/schedules/calendar', {
        date: day.date,
        target: targetIn(form),
        what: whatIn(form),
        reason: written(form, 'reason'),
      });
      changed();
      close();
    });
  };
  return (
    <Dialog title={text.openDay(day.date)} close={close}>
      {day.holiday !== '' && <p class="quiet">{text.national(day.holiday, day.break)}</p>}
      {day.own.length > 0 && (
        <ul class="own-days">
          {day.own.map(one => (
            <li key={one.id}>
              <span>
                <TargetLink target={one.target} name={one.name} />
                {text.colon}
                {whatWords(one.what)} <span class="quiet">{one.reason}</span>
              </span>
              <button
                type="button"
                class="act danger"
                disabled={busy.value}
                aria-label={text.removeOf(`${targetName(one.target, one.name)} ${whatWords(one.what)}`)}
                onClick={() =>
                  void run(async () => {
                    await erase('/schedules/calendar/{id}', { id: one.id });
                    changed();
                  })
                }
              >
                {words.value.act.remove}
              </button>
            </li>
          ))}
        </ul>
      )}
      <form class="fields" onSubmit={save}>
        <TargetChoice initial={{ kind: 'site', ext_id: '' }} name="" />
        <Choice
          label={text.isA}
          name="kind"
          onChange={event => (kind.value = event.currentTarget.value as typeof kind.value)}
        >
          {kinds
            .filter(one => one !== 'shift' || shifts.length > 0)
            .map(one => (
              <option key={one} value={one} selected={one === kind.value}>
                {text.what[one]}
              </option>
            ))}
        </Choice>
        {kind.value === 'makeup' && (
          <Choice label={text.likeWhich} name="weekday">
            {text.weekdays.map((name, index) => (
              <option key={name} value={index + 1}>
                {name}
              </option>
            ))}
          </Choice>
        )}
        {kind.value === 'shift' && (
          <Choice label={text.shift} name="code">
            {shifts.map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </Choice>
        )}
        <Field label={text.reason} name="reason" maxLength={100} />
        <Refused text={refused.value} />
        <DialogButtons go={words.value.act.save} busy={busy.value} close={close} />
      </form>
    </Dialog>
  );
}

import type { PlanGrid } from '../../../../src/admin/ui/plan-grid.ts';
import { erase, post } from '../../api.ts';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { Choice, Field, text as written } from '../../parts/field.tsx';
import { Refused } from '../../parts/notices.tsx';
import { words } from '../../words/index.ts';
import { dateName } from '../attendance/dates.ts';
import { useDoing } from './doing.ts';
import { said as grid } from './plan-words.ts';
import { kindWords, said, whatWords } from './words.ts';

export type GridRow = PlanGrid['rows'][number];
export type GridDay = GridRow['days'][number];

/** Change, and its undo. */
export interface Change {
  readonly sentence: string;
  readonly extId: string;
  readonly date: string;
  /** Of the day that was entered; null: it was removed. */
  readonly id: number | null;
  readonly before: GridDay['own'];
}

/** Work of one person on one day. */
export function PlanCellDialog({
  row,
  day,
  shifts,
  close,
  done,
}: {
  row: GridRow;
  day: GridDay;
  shifts: PlanGrid['shifts'];
  close: () => void;
  done: (change: Change) => void;
}) {
  const { busy, refused, run } = useDoing();
  const text = grid.value;
  const { own } = day;
  const now = own ? (own.what.kind === 'shift' ? `shift ${own.what.code}` : own.what.kind) : '';
  const isOther = own !== null && own.what.kind !== 'shift' && own.what.kind !== 'rest';
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const chosen = String(form.get('what') ?? '');
    const about = { extId: row.ext_id, date: day.date, before: own };
    void run(async () => {
      if (chosen === now && !own) return close();
      if (chosen === '') {
        if (own) await erase('/schedules/calendar/{id}', { id: own.id });
        return done({ ...about, id: null, sentence: text.follows(row.name, dateName(day.date)) });
      }
      const what =
        chosen === now && own
          ? own.what
          : chosen === 'rest'
            ? { kind: 'rest' as const }
            : { kind: 'shift' as const, code: chosen.slice('shift '.length) };
      const { id } = await post('/schedules/calendar', {
        date: day.date,
        target: { kind: 'person', ext_id: row.ext_id },
        what,
        reason: written(form, 'reason'),
      });
      done({ ...about, id, sentence: text.changed(row.name, dateName(day.date), whatWords(what)) });
    });
  };
  return (
    <Dialog title={text.cellTitle(row.name, dateName(day.date))} close={close}>
      {day.leave.length > 0 && <p class="notice">{text.onLeave(day.leave.map(kindWords).join(said.value.comma))}</p>}
      <form class="fields" onSubmit={save}>
        <Choice label={text.works} name="what">
          <option value="" selected={now === ''}>
            {text.followsPlan}
          </option>
          {isOther && own && (
            <option value={now} selected>
              {whatWords(own.what)}
            </option>
          )}
          {shifts.map(({ code, name }) => (
            <option key={code} value={`shift ${code}`} selected={now === `shift ${code}`}>
              {name === code ? name : `${name} (${code})`}
            </option>
          ))}
          <option value="rest" selected={now === 'rest'}>
            {said.value.what.rest}
          </option>
        </Choice>
        <Field label={said.value.reason} name="reason" maxLength={100} value={own?.reason ?? ''} />
        <Refused text={refused.value} />
        <DialogButtons go={words.value.act.save} busy={busy.value} close={close} />
      </form>
    </Dialog>
  );
}

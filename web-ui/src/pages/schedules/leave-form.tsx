import type { LeaveFacts } from '../../../../src/admin/ui/plan-shapes.ts';
import { addDays } from '../../../../src/runtime/calendar-date.ts';
import { post, put } from '../../api.ts';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { Choice, chosen, Field, text as written } from '../../parts/field.tsx';
import { Refused } from '../../parts/notices.tsx';
import { words } from '../../words/index.ts';
import { useDoing } from './doing.ts';
import { PersonChoice } from './target-choice.tsx';
import { kindsOfLeave, kindWords, said } from './words.ts';

/** Enters a leave, or changes `edited`. Without times it takes whole days. */
export function LeaveForm({
  edited,
  person,
  day,
  close,
  done,
}: {
  edited: LeaveFacts | null;
  /** Whose it is; absent: to be chosen. */
  person?: { readonly ext_id: string; readonly name: string };
  day: string;
  close: () => void;
  done: () => void;
}) {
  const { busy, refused, run } = useDoing();
  const text = said.value;
  const [fromDay = day, fromTime = ''] = edited?.from.split('T') ?? [day];
  const [lastDay, toTime] = edited ? lastOf(edited.to) : [day, ''];
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const last = written(form, 'to_day');
    const ends = written(form, 'to_time');
    const body = {
      ext_id: edited?.ext_id ?? person?.ext_id ?? written(form, 'person'),
      from: `${written(form, 'from_day')}T${written(form, 'from_time') || '00:00'}`,
      to: ends === '' ? `${addDays(last, 1)}T00:00` : `${last}T${ends}`,
      kind: written(form, 'kind'),
      paid: form.has('paid'),
      state: chosen(form, 'state', ['approved', 'asked']),
      reason: written(form, 'reason'),
    };
    void run(async () => {
      if (edited) await put('/schedules/leaves/{id}', { id: edited.id, ...body });
      else await post('/schedules/leaves', body);
      done();
    });
  };
  return (
    <Dialog title={edited ? text.editOf(edited.name) : text.addLeave} close={close}>
      <form class="fields" onSubmit={save}>
        {!edited && !person && <PersonChoice initial={null} />}
        <div class="pair">
          <Field label={text.firstDay} type="date" name="from_day" required defaultValue={fromDay} />
          <Field
            label={text.fromTime}
            type="time"
            name="from_time"
            defaultValue={fromTime === '00:00' ? '' : fromTime}
          />
        </div>
        <div class="pair">
          <Field label={text.lastDay} type="date" name="to_day" required defaultValue={lastDay} />
          <Field label={text.toTime} type="time" name="to_time" defaultValue={toTime} />
        </div>
        <p class="quiet">{text.wholeDays}</p>
        <Choice label={text.leaveKind} name="kind">
          {[...new Set([...kindsOfLeave, ...(edited ? [edited.kind] : [])])].map(one => (
            <option key={one} value={one} selected={one === edited?.kind}>
              {kindWords(one)}
            </option>
          ))}
        </Choice>
        <label class="check">
          <input type="checkbox" name="paid" defaultChecked={edited?.paid ?? true} />
          {text.paid}
        </label>
        <Choice label={text.state} name="state">
          {(['approved', 'asked'] as const).map(one => (
            <option key={one} value={one} selected={one === edited?.state}>
              {text.states[one]}
            </option>
          ))}
        </Choice>
        <Field label={text.reason} name="reason" maxLength={200} defaultValue={edited?.reason} />
        <Refused text={refused.value} />
        <DialogButtons go={words.value.act.save} busy={busy.value} close={close} />
      </form>
    </Dialog>
  );
}

/** A leave that ends at 00:00 takes the whole day before. */
const lastOf = (to: string): [day: string, time: string] => {
  const [day = '', time = ''] = to.split('T');
  return time === '00:00' ? [addDays(day, -1), ''] : [day, time];
};

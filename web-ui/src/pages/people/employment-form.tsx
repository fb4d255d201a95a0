import type { ListedPerson } from '../../../../src/admin/ui/people-lists.ts';
import { put } from '../../api.ts';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { Field, text as written } from '../../parts/field.tsx';
import { day } from '../../parts/numbers.ts';
import { words } from '../../words/index.ts';
import { useDoing } from './doing.ts';
import { Refused } from './person-dialogs.tsx';
import { said } from './words.ts';

/** Since when and until when a person is employed. An empty last day: has not left, or is back. */
export function EmploymentForm({
  person,
  close,
  done,
}: {
  person: ListedPerson;
  close: () => void;
  done: (sentence: string) => void;
}) {
  const { busy, refused, run } = useDoing();
  const text = said.value;
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const to = written(form, 'to') || null;
    void run(async () => {
      await put('/people/{ext_id}/employment', { ext_id: person.ext_id, from: written(form, 'from') || null, to });
      done(to === null ? text.isBack(person.name) : text.leftOn(person.name, to));
    });
  };
  return (
    <Dialog title={text.hasLeftOf(person.name)} close={close}>
      <form class="fields" onSubmit={save}>
        <p>{text.hasLeftLead}</p>
        <Field
          label={text.lastDay}
          hint={text.lastDayHint}
          type="date"
          name="to"
          defaultValue={person.employed_to ?? day(Date.now())}
        />
        <details>
          <summary>{text.firstDay}</summary>
          <Field
            label={text.firstDay}
            hint={text.firstDayHint}
            type="date"
            name="from"
            defaultValue={person.employed_from ?? ''}
          />
        </details>
        <Refused text={refused.value} />
        <DialogButtons go={words.value.act.save} busy={busy.value} close={close} />
      </form>
    </Dialog>
  );
}

import { useSignal } from '@preact/signals';
import type { DepartmentFacts, ListedPerson } from '../../../../src/admin/ui/people-lists.ts';
import { erase, post, put } from '../../api.ts';
import { useLoaded } from '../../loaded.ts';
import { DepartmentOptions } from '../../parts/departments.tsx';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { ProblemNotice, Refused } from '../../parts/notices.tsx';
import { count } from '../../parts/numbers.ts';
import { words } from '../../words/index.ts';
import { useDoing } from './doing.ts';
import { hasLeft } from './employment-form.tsx';
import { MovedSince, useMove } from './moved-since.tsx';
import { said } from './words.ts';

/** Adds a person, or changes `edited`. */
export function PersonForm({
  departments,
  department,
  edited,
  close,
  done,
}: {
  departments: readonly DepartmentFacts[];
  department?: DepartmentFacts | undefined;
  edited?: ListedPerson;
  close: () => void;
  done: (sentence: string) => void;
}) {
  const { busy, refused, run } = useDoing();
  const text = said.value;
  const at = edited?.department_ext_id ?? department?.ext_id;
  const move = useMove();
  const isMoved = useSignal(false);
  const extId = useSignal('');
  /** Somebody typed an ID: it no longer follows the number. */
  const isOwnId = useSignal(false);
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const field = (name: string) => String(form.get(name) ?? '').trim();
    const body = {
      name: field('name'),
      employee_num: field('employee_num'),
      mobile: field('mobile'),
      title: field('title'),
      department: field('department'),
    };
    void run(async () => {
      if (edited && isMoved.peek()) {
        const moved = { department: body.department, department_since: move.sinceIn(form) };
        const preview = () => post('/people/bulk/preview', { ...moved, ext_ids: [edited.ext_id] });
        if (await move.isLookedAt(moved.department_since, preview)) return;
        await put('/people/{ext_id}', { ...body, ...moved, ext_id: edited.ext_id });
      } else if (edited) await put('/people/{ext_id}', { ...body, ext_id: edited.ext_id });
      else await post('/people', { ...body, ext_id: field('ext_id') });
      done(text.saved(body.name));
    });
  };
  return (
    <Dialog title={edited ? text.editOf(edited.name) : text.addPerson} close={close}>
      <form class="fields" onSubmit={save}>
        <Field label={text.name} name="name" required maxLength={30} defaultValue={edited?.name} />
        <Field
          label={text.number}
          name="employee_num"
          maxLength={20}
          defaultValue={edited?.employee_num}
          onInput={event => {
            if (!isOwnId.peek()) extId.value = event.currentTarget.value;
          }}
        />
        {!edited && (
          <Field
            label={text.personId}
            hint={text.personIdHint}
            name="ext_id"
            required
            maxLength={32}
            value={extId.value}
            onInput={event => {
              extId.value = event.currentTarget.value;
              isOwnId.value = extId.value !== '';
            }}
          />
        )}
        <Choice
          label={text.department}
          name="department"
          required
          onChange={event => {
            move.past.value = null;
            isMoved.value = edited !== undefined && event.currentTarget.value !== at;
          }}
        >
          <DepartmentOptions departments={departments} chosen={at} />
        </Choice>
        {isMoved.value && <MovedSince move={move} />}
        <Field label={text.title} name="title" maxLength={16} defaultValue={edited?.title} />
        <Field label={text.mobile} name="mobile" type="tel" maxLength={20} defaultValue={edited?.mobile} />
        <Refused text={refused.value} />
        <DialogButtons go={words.value.act.save} busy={busy.value} close={close} />
      </form>
    </Dialog>
  );
}

/** Shows what is deleted with the person, before it is; who has left is offboarded instead. */
export function RemovePerson({
  person,
  offboard,
  close,
  done,
}: {
  person: ListedPerson;
  offboard: () => void;
  close: () => void;
  done: (sentence: string) => void;
}) {
  const { loaded } = useLoaded('/people/{ext_id}', { ext_id: person.ext_id });
  const { busy, refused, run } = useDoing();
  const text = said.value;
  const { data, problem } = loaded.value;
  const remove = (event: SubmitEvent) => {
    event.preventDefault();
    void run(async () => {
      await erase('/people/{ext_id}', { ext_id: person.ext_id });
      done(text.removed(person.name));
    });
  };
  const many = data?.checkins ?? 0;
  return (
    <Dialog title={text.removeOf(person.name)} close={close}>
      <form onSubmit={remove}>
        <ProblemNotice problem={problem} />
        {!data && !problem && <p class="quiet">{text.counting}</p>}
        {data && (
          <>
            <p>
              <b>
                {text.removePerson(
                  person.name,
                  many === 0 ? text.noCheckins : text.hisCheckins(count(many), many === 1),
                )}
              </b>{' '}
              {data.feature_kinds > 0 && text.withFeatures}
            </p>
            <p>{text.forGood}</p>
            {!hasLeft(person) && (
              <p>
                {text.offboardInstead}{' '}
                <button type="button" class="act" onClick={offboard}>
                  {text.hasLeft}
                </button>
              </p>
            )}
          </>
        )}
        <Refused text={refused.value} />
        <DialogButtons go={words.value.act.remove} busy={busy.value || !data} danger close={close} />
      </form>
    </Dialog>
  );
}

import { useSignal } from '@preact/signals';
import type { DepartmentFacts } from '../../../../src/admin/ui/people-lists.ts';
import { erase, post, put } from '../../api.ts';
import { inTreeOrder } from '../../parts/departments.tsx';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { Choice, Field } from '../../parts/field.tsx';
import { Refused } from '../../parts/notices.tsx';
import { words } from '../../words/index.ts';
import { useDoing } from './doing.ts';
import { MovedSince, useMove } from './moved-since.tsx';
import { said } from './words.ts';

/** Adds a department, or renames and moves `edited`. */
export function DepartmentForm({
  departments,
  parent,
  edited,
  close,
  done,
}: {
  departments: readonly DepartmentFacts[];
  parent?: DepartmentFacts | undefined;
  edited?: DepartmentFacts;
  close: () => void;
  done: (sentence: string) => void;
}) {
  const { busy, refused, run } = useDoing();
  const text = said.value;
  const at = edited ? edited.parent : parent?.id;
  const move = useMove();
  const isMoved = useSignal(false);
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const field = (name: string) => String(form.get(name) ?? '').trim();
    const body = { name: field('name'), parent: field('parent') };
    void run(async () => {
      if (edited && isMoved.peek()) {
        const moved = { ext_id: edited.ext_id, parent: body.parent, parent_since: move.sinceIn(form) };
        if (await move.isLookedAt(moved.parent_since, () => post('/departments/{ext_id}/preview', moved))) return;
        await put('/departments/{ext_id}', { ...body, ...moved });
      } else if (edited) await put('/departments/{ext_id}', { ...body, ext_id: edited.ext_id });
      else await post('/departments', { ...body, ext_id: field('ext_id') });
      done(text.saved(body.name));
    });
  };
  const rows = inTreeOrder(departments).filter(({ one }) => one.ext_id !== '' && !isWithin(departments, one, edited));
  return (
    <Dialog title={edited ? text.editOf(edited.name) : text.addDepartment} close={close}>
      <form class="fields" onSubmit={save}>
        {!edited && <Field label={text.extId} hint={text.extIdHint} name="ext_id" required maxLength={32} />}
        <Field label={text.name} name="name" required maxLength={30} defaultValue={edited?.name} />
        <Choice
          label={text.parent}
          name="parent"
          onChange={event => {
            move.past.value = null;
            const chosen = departments.find(
              one => (one.parent === null ? '' : one.ext_id) === event.currentTarget.value,
            );
            isMoved.value = edited !== undefined && chosen?.id !== at;
          }}
        >
          {rows.map(({ one, depth }) => (
            <option key={one.id} value={one.parent === null ? '' : one.ext_id} selected={one.id === at}>
              {`${'\u2003'.repeat(depth)}${one.name}`}
            </option>
          ))}
        </Choice>
        {isMoved.value && <MovedSince move={move} />}
        <Refused text={refused.value} />
        <DialogButtons go={words.value.act.save} busy={busy.value} close={close} />
      </form>
    </Dialog>
  );
}

/** A department cannot be under itself or under one below it. */
function isWithin(
  departments: readonly DepartmentFacts[],
  one: DepartmentFacts,
  above: DepartmentFacts | undefined,
): boolean {
  if (!above) return false;
  for (let at: DepartmentFacts | undefined = one; at; at = departments.find(({ id }) => id === at?.parent))
    if (at.id === above.id) return true;
  return false;
}

/** Says in advance that a department with people in it or below it cannot be deleted. */
export function RemoveDepartment({
  one,
  close,
  done,
}: {
  one: DepartmentFacts;
  close: () => void;
  done: (sentence: string) => void;
}) {
  const { busy, refused, run } = useDoing();
  const text = said.value;
  const remove = (event: SubmitEvent) => {
    event.preventDefault();
    void run(async () => {
      await erase('/departments/{ext_id}', { ext_id: one.ext_id });
      done(text.removed(one.name));
    });
  };
  return (
    <Dialog title={text.removeOf(one.name)} close={close}>
      {one.people_below > 0 ? (
        <>
          <p>{text.hasPeople(one.name, one.people_below)}</p>
          <p class="bar">
            <button type="button" class="act" onClick={close}>
              {words.value.act.close}
            </button>
          </p>
        </>
      ) : (
        <form onSubmit={remove}>
          <p>
            <b>{text.removeEmpty(one.name)}</b> {text.forGood}
          </p>
          <Refused text={refused.value} />
          <DialogButtons go={words.value.act.remove} busy={busy.value} danger close={close} />
        </form>
      )}
    </Dialog>
  );
}

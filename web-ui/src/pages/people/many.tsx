import { useSignal } from '@preact/signals';
import type { DepartmentFacts } from '../../../../src/admin/ui/people-lists.ts';
import { post } from '../../api.ts';
import { DepartmentOptions } from '../../parts/departments.tsx';
import { Dialog, DialogButtons } from '../../parts/dialog.tsx';
import { Choice, Field, text as written } from '../../parts/field.tsx';
import { Refused } from '../../parts/notices.tsx';
import { day } from '../../parts/numbers.ts';
import { BulkNotice, type Selection, SelectionBar, useBulk } from '../../parts/selection.tsx';
import { AccessCodes, codesMax, idsOfAll } from './access-codes.tsx';
import { accessWords } from './access-words.ts';
import { useDoing } from './doing.ts';
import { manyWords } from './many-words.ts';
import { MovedSince, useMove } from './moved-since.tsx';

type Change = { readonly department: string; readonly department_since: string } | { readonly last_day: string | null };

/** Moves the chosen people to a department, or says when they leave; and its undo. */
export function ManyPeople({
  selection,
  total,
  matching,
  departments,
  changed,
}: {
  selection: Selection;
  total: number;
  matching: {
    readonly department: string | undefined;
    readonly search: string | undefined;
    readonly employed: 'now' | 'no more';
    readonly upToKey: number;
  };
  departments: readonly DepartmentFacts[];
  changed: () => void;
}) {
  const said = manyWords.value;
  const bulk = useBulk(changed);
  const looking = useDoing();
  const asking = useSignal<'move' | 'leave' | 'codes' | null>(null);
  const close = () => {
    asking.value = null;
  };
  const moving = useMove();
  const chosenPeople = () => {
    const { department, search, employed, upToKey } = matching;
    const ids = [...selection.ids];
    const filter = { ...(department ? { department } : {}), ...(search ? { search } : {}), employed };
    return selection.all ? { matching: { ...filter, except: ids, up_to_key: upToKey } } : { ext_ids: ids };
  };
  const chosenIds = async () => {
    const { upToKey: _, ...found } = matching;
    return selection.all ? idsOfAll(found, selection.ids) : [...selection.ids];
  };
  const act = async (change: Change, sentence: (count: string) => string) => {
    const chosen = chosenPeople();
    close();
    const done = await bulk.run(async () => {
      const outcome = await post('/people/bulk', { ...change, ...chosen });
      const { id } = outcome;
      return { ...outcome, undo: id === null ? null : () => post('/people/bulk/{id}/undo', { id }) };
    }, sentence);
    if (done) selection.clear();
  };
  const move = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const moved = { department: written(form, 'department'), department_since: moving.sinceIn(form) };
    const name = departments.find(one => one.ext_id === moved.department)?.name ?? moved.department;
    void looking.run(async () => {
      const preview = () => post('/people/bulk/preview', { ...moved, ...chosenPeople() });
      if (!(await moving.isLookedAt(moved.department_since, preview)))
        await act(moved, count => said.moved(count, name));
    });
  };
  const leave = (event: SubmitEvent) => {
    event.preventDefault();
    const last = written(new FormData(event.currentTarget as HTMLFormElement), 'to') || null;
    void act({ last_day: last }, count => (last === null ? said.back(count) : said.left(count, last)));
  };
  return (
    <>
      <BulkNotice bulk={bulk} />
      <SelectionBar selection={selection} total={total}>
        <button type="button" class="act" disabled={bulk.busy.value} onClick={() => (asking.value = 'move')}>
          {said.move}
        </button>
        <button type="button" class="act" disabled={bulk.busy.value} onClick={() => (asking.value = 'leave')}>
          {said.leave}
        </button>
        <button
          type="button"
          class="act"
          disabled={bulk.busy.value || selection.count > codesMax}
          title={selection.count > codesMax ? accessWords.value.tooMany : undefined}
          onClick={() => (asking.value = 'codes')}
        >
          {accessWords.value.makeMany}
        </button>
      </SelectionBar>
      {asking.value === 'codes' && (
        <AccessCodes title={accessWords.value.makeTitleMany(selection.count)} ids={chosenIds} close={close} />
      )}
      {asking.value === 'move' && (
        <Dialog title={said.moveTitle(selection.count)} close={close}>
          <form class="fields" onSubmit={move}>
            <Choice
              label={said.department}
              name="department"
              required
              onChange={() => {
                moving.past.value = null;
              }}
            >
              <DepartmentOptions departments={departments} />
            </Choice>
            <MovedSince move={moving} />
            <Refused text={looking.refused.value} />
            <DialogButtons go={said.moveGo} busy={bulk.busy.value || looking.busy.value} close={close} />
          </form>
        </Dialog>
      )}
      {asking.value === 'leave' && (
        <Dialog title={said.leaveTitle(selection.count)} close={close}>
          <form class="fields" onSubmit={leave}>
            <p>{said.leaveLead}</p>
            <Field label={said.lastDay} hint={said.lastDayHint} type="date" name="to" defaultValue={day(Date.now())} />
            <DialogButtons go={said.leaveGo} busy={bulk.busy.value} close={close} />
          </form>
        </Dialog>
      )}
    </>
  );
}

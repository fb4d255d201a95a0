import { useSignal } from '@preact/signals';
import type { PersonOfDay } from '../../../../src/admin/ui/day-status.ts';
import type { AnswerOf } from '../../../../src/admin-client/calls.ts';
import { get, post } from '../../api.ts';
import { AskDialog } from '../../parts/ask-dialog.tsx';
import { useDoing } from '../../parts/doing.ts';
import { text as written } from '../../parts/field.tsx';
import { count } from '../../parts/numbers.ts';
import { BulkNotice, type Selection, SelectionBar, useBulk } from '../../parts/selection.tsx';
import { inWords, Reason } from './correcting.tsx';
import { dayWords } from './day-words.ts';

/** Of one correction, which is undone as one. */
const itemsMax = 500;
const pageSize = 500;

/** Whose missing check-ins can be added. */
export const canAdd = ({ ext_id, missing }: PersonOfDay): boolean => ext_id !== '' && missing.length > 0;

type Asked = {
  readonly day: string;
  readonly department?: string | undefined;
  readonly search?: string | undefined;
  readonly shift?: string | undefined;
  readonly terminal?: string | undefined;
  readonly status: string;
};

/** Adds the missing check-ins of all people who match, or of those who are chosen; and its undo. */
export function AddingMany({
  asked,
  total,
  rows,
  selection,
  changed,
}: {
  /** Filters that say whom the button for all means. */
  asked: Asked;
  total: number;
  rows: readonly PersonOfDay[];
  selection: Selection;
  changed: () => void;
}) {
  const bulk = useBulk(changed);
  const gathering = useDoing(inWords);
  const people = useSignal<readonly PersonOfDay[] | null>(null);
  const text = dayWords.value;
  const close = () => {
    people.value = null;
  };
  const openForAll = () =>
    gathering.run(async () => {
      const all: PersonOfDay[] = [];
      for (let cursor: string | null | undefined; cursor !== null && all.length < itemsMax; ) {
        const page: AnswerOf<'get', '/attendance/day/status'> = await get('/attendance/day/status', {
          ...asked,
          limit: pageSize,
          ...(cursor !== undefined && { cursor }),
        });
        all.push(...page.rows.filter(canAdd));
        cursor = page.cursor;
      }
      people.value = all;
    });
  const whole = (people.value ?? []).flatMap(({ ext_id, missing }) => missing.map(time => ({ ext_id, time })));
  const items = whole.slice(0, itemsMax);
  const add = async (form: FormData) => {
    const { id, state } = await post('/attendance/corrections', {
      ...{ kind: 'add', items, reason: written(form, 'reason') },
    });
    const undo = async () => {
      if (state === 'asked') await post('/attendance/corrections/{id}/{decision}', { id, decision: 'withdraw' });
      else await post('/attendance/corrections/{id}/undo', { id, reason: text.undoReason });
      return { changed: items.length, unchanged: [] };
    };
    close();
    selection.clear();
    const left = whole.length - items.length;
    await bulk.run(
      async () => ({ changed: items.length, unchanged: [], undo }),
      added =>
        [(state === 'asked' ? text.asked : text.addedMany)(added), left > 0 ? text.rest(count(left)) : '']
          .join(' ')
          .trim(),
    );
  };
  return (
    <>
      <BulkNotice bulk={bulk} />
      {total > 0 && selection.count === 0 && (
        <p class="no-print">
          <button
            type="button"
            class="act"
            disabled={gathering.busy.value || bulk.busy.value}
            onClick={() => void openForAll()}
          >
            {text.addAll(count(total))}
          </button>
        </p>
      )}
      <SelectionBar selection={selection} total={selection.count}>
        <button
          type="button"
          class="act"
          disabled={bulk.busy.value}
          onClick={() => {
            people.value = rows.filter(row => selection.has(row.ext_id));
          }}
        >
          {text.addSelected}
        </button>
      </SelectionBar>
      {people.value && (
        <AskDialog
          title={text.addTitle(count(people.value.length))}
          go={text.add(count(items.length))}
          kind="fields"
          run={add}
          inWords={inWords}
          close={close}
        >
          <p class="quiet">{text.addHint}</p>
          <p>{timesOf(items)}</p>
          <Reason />
        </AskDialog>
      )}
    </>
  );
}

/** `08:00 for 80, 17:00 for 3`. */
function timesOf(items: readonly { readonly time: string }[]): string {
  const text = dayWords.value;
  const counted = Map.groupBy(items, ({ time }) => time.slice(11, 16));
  return [...counted]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([time, of]) => text.times(time, count(of.length)))
    .join(text.joint);
}

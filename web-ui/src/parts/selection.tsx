import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Problem } from '../api.ts';
import { useDoing } from './doing.ts';
import { ProblemNotice } from './notices.tsx';
import { count } from './numbers.ts';
import { selectionWords } from './selection-words.ts';
import { sayDone } from './toast.tsx';

/** The rows of a list that are chosen: some, or all that match but for some. */
export interface Selection {
  readonly all: boolean;
  /** The chosen ones; with `all` those that are left out. */
  readonly ids: ReadonlySet<string>;
  readonly count: number;
  has(id: string): boolean;
  set(ids: readonly string[], chosen: boolean): void;
  /** All that match, also those that are not shown. */
  chooseAll(): void;
  clear(): void;
}

/**
 * `asked` says which list it is: with another filter nothing is chosen any more. `total`: how many
 * rows match.
 */
export function useSelection(asked: string, total: number): Selection {
  const chosen = useSignal<{ all: boolean; ids: ReadonlySet<string> }>({ all: false, ids: new Set() });
  const seen = useRef(asked);
  useEffect(() => {
    if (seen.current === asked) return;
    seen.current = asked;
    chosen.value = { all: false, ids: new Set() };
  }, [asked, chosen]);
  const { all, ids } = chosen.value;
  return useMemo(
    () => ({
      all,
      ids,
      count: all ? Math.max(0, total - ids.size) : ids.size,
      has: id => ids.has(id) !== all,
      set(some, wanted) {
        const next = new Set(ids);
        for (const id of some)
          if (wanted === all) next.delete(id);
          else next.add(id);
        chosen.value = { all, ids: next };
      },
      chooseAll: () => {
        chosen.value = { all: true, ids: new Set() };
      },
      clear: () => {
        chosen.value = { all: false, ids: new Set() };
      },
    }),
    [all, ids, total, chosen],
  );
}

/** How many are chosen, and what can be done with them; nothing while none is. */
export function SelectionBar({
  selection,
  total,
  children,
}: {
  selection: Selection;
  total: number;
  children: ComponentChildren;
}) {
  const said = selectionWords.value;
  const { count: chosen, all } = selection;
  return (
    <div class={chosen === 0 ? undefined : 'selection-bar'}>
      <b role="status">{chosen === 0 ? '' : said.selected(count(chosen))}</b>
      {chosen > 0 && (
        <fieldset class="selection-acts" aria-label={said.actions}>
          <div>
            {children}
            {!all && chosen < total && (
              <button type="button" class="act" onClick={selection.chooseAll}>
                {said.selectAll(count(total))}
              </button>
            )}
          </div>
          <button type="button" class="act clear" onClick={selection.clear}>
            <span>{said.clear}</span>
          </button>
        </fieldset>
      )}
    </div>
  );
}

interface Outcome {
  readonly changed: number;
  readonly unchanged: readonly { readonly why: string; readonly count: number; readonly ids: readonly string[] }[];
}

/** Change of many, and its undo. */
export interface BulkDoing {
  readonly busy: Signal<boolean>;
  /** Rows that the last change left as they were, and why; empty: none. */
  readonly left: Signal<string>;
  readonly refused: Signal<Problem | null>;
  /** `sentence` says of a number of rows what was done with them. */
  run(
    act: () => Promise<Outcome & { readonly undo: (() => Promise<Outcome>) | null }>,
    sentence: (changed: string) => string,
  ): Promise<boolean>;
}

/** The sentence after an undo, for a page that undoes what another one did. */
export const selectionUndone = (number: string): string => selectionWords.value.undone(number);

export function useBulk(changed: () => void): BulkDoing {
  const left = useSignal('');
  const { busy, refused, run } = useDoing();
  const doing: BulkDoing['run'] = (act, sentence) =>
    run(async () => {
      left.value = '';
      const { undo, ...outcome } = await act();
      left.value = leftWords(outcome);
      sayDone(
        outcome.changed === 0 ? selectionWords.value.nothing : sentence(count(outcome.changed)),
        undo && (() => doing(async () => ({ ...(await undo()), undo: null }), selectionUndone)),
      );
      changed();
    });
  return { busy, left, refused, run: doing };
}

const namedMax = 3;

function leftWords({ unchanged }: Outcome): string {
  const said = selectionWords.value;
  const all = unchanged.reduce((sum, row) => sum + row.count, 0);
  if (all === 0) return '';
  const rows = unchanged.map(({ why, count: left, ids }) => {
    const named = ids.slice(0, namedMax).join(said.comma) + (left > namedMax ? said.more : '');
    return said.whyCount(said.why[why] ?? why, count(left), named);
  });
  return `${said.unchanged(count(all))} ${rows.join(said.joint)}${said.stop}`;
}

/** Rows that were not changed, and why: the result itself is a toast. */
export const BulkNotice = ({ bulk: { left, refused } }: { bulk: BulkDoing }) => (
  <>
    <div role="status">{left.value !== '' && <p class="notice">{left.value}</p>}</div>
    <ProblemNotice problem={refused.value} />
  </>
);

import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Problem } from '../api.ts';
import { useDoing } from './doing.ts';
import { ProblemNotice } from './notices.tsx';
import { count } from './numbers.ts';
import { selectionWords } from './selection-words.ts';

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

interface Happened {
  readonly sentence: string;
  readonly left: string;
  /** Undo; null if there is nothing to undo. */
  readonly undo: (() => Promise<Outcome>) | null;
}

/** Change of many, and its undo. */
export interface BulkDoing {
  readonly busy: Signal<boolean>;
  readonly happened: Signal<Happened | null>;
  readonly refused: Signal<Problem | null>;
  /** `sentence` says of a number of rows what was done with them. */
  run(
    act: () => Promise<Outcome & { readonly undo: (() => Promise<Outcome>) | null }>,
    sentence: (changed: string) => string,
  ): Promise<boolean>;
  undo(): Promise<void>;
}

/** The sentence after an undo, for a page that undoes what another one did. */
export const selectionUndone = (number: string): string => selectionWords.value.undone(number);

export function useBulk(changed: () => void): BulkDoing {
  const happened = useSignal<Happened | null>(null);
  const { busy, refused, run } = useDoing();
  const doing = (act: () => Promise<Happened>) =>
    run(async () => {
      happened.value = await act();
      changed();
    });
  return {
    busy,
    happened,
    refused,
    run: (act, sentence) =>
      doing(async () => {
        const outcome = await act();
        return {
          sentence: outcome.changed === 0 ? selectionWords.value.nothing : sentence(count(outcome.changed)),
          left: leftWords(outcome),
          undo: outcome.undo,
        };
      }),
    async undo() {
      const undo = happened.peek()?.undo;
      if (!undo) return;
      await doing(async () => {
        const outcome = await undo();
        return {
          sentence: selectionWords.value.undone(count(outcome.changed)),
          left: leftWords(outcome),
          undo: null,
        };
      });
    },
  };
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

/** Result for the selected rows, with the button that undoes it. */
export function BulkNotice({ bulk }: { bulk: BulkDoing }) {
  const { happened, refused, busy } = bulk;
  const what = happened.value;
  return (
    <>
      <div role="status">
        {what && (
          <div class="notice ok bulk-done">
            <p>
              {what.sentence} {what.left}
            </p>
            {what.undo && (
              <button type="button" class="act" disabled={busy.value} onClick={() => bulk.undo()}>
                {selectionWords.value.undo}
              </button>
            )}
          </div>
        )}
      </div>
      <ProblemNotice problem={refused.value} />
    </>
  );
}

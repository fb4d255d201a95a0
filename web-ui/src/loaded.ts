import { batch, type Signal, signal, useSignal } from '@preact/signals';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import type { AnswerOf, PathOf, Rest } from '../../src/admin-client/calls.ts';
import { addressOf, type Problem, send } from './api.ts';
import { returns } from './live.ts';
import { addList } from './printing.ts';

/** How many first responses are on their way: what waits for them has nothing to show yet. */
export const firstLoads = signal(0);

/** While the box does not answer. */
const againMs = 3000;

export interface Loaded<T> {
  readonly data: T | null;
  readonly problem: Problem | null;
  readonly loading: boolean;
}

/**
 * The response of GET `path`, fetched again when what is asked changes, when `reload` is called,
 * and when the box answers again. The last response stays until the next arrives.
 */
export function useLoaded<Path extends PathOf<'get'>>(
  path: Path,
  ...[asked]: Rest<'get', Path>
): { readonly loaded: Signal<Loaded<AnswerOf<'get', Path>>>; readonly reload: () => void } {
  const address = addressOf(path, asked);
  const loaded = useSignal<Loaded<AnswerOf<'get', Path>>>({ data: null, problem: null, loading: true });
  const round = useSignal(0);
  useEffect(() => {
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const arrived = loaded.peek().data === null ? countFirstLoad() : () => {};
    loaded.value = { ...loaded.peek(), loading: true };
    send<AnswerOf<'get', Path>>('GET', address, undefined, leaving.signal).then(
      data => {
        loaded.value = { data, problem: null, loading: false };
        arrived();
      },
      error => {
        arrived();
        if (leaving.signal.aborted) return;
        const problem = error as Problem;
        // The box does not answer, or still enters what this has to hold.
        problem.comesAgain = problem.status === 0 || problem.title === 'store_behind';
        loaded.value = { ...loaded.peek(), problem, loading: false };
        if (problem.comesAgain)
          timer = setTimeout(() => {
            round.value++;
          }, againMs);
      },
    );
    return () => {
      arrived();
      leaving.abort();
      clearTimeout(timer);
    };
  }, [address, round.value, returns.value]);
  const reload = useCallback(() => {
    round.value++;
  }, [round]);
  return { loaded, reload };
}

/** Returns what is called when the response is there, or nobody waits for it any more. */
function countFirstLoad(): () => void {
  let waits = true;
  firstLoads.value++;
  return () => {
    if (waits) firstLoads.value--;
    waits = false;
  };
}

interface Page<Row> {
  readonly rows: readonly Row[];
  /** Where the next page goes on; null: this was the last. */
  readonly cursor: string | number | null;
}

const pageAddress = (address: string, after: string | number | null): string =>
  after === null ? address : `${address}${address.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(after)}`;

type RowOf<Answer> = Answer extends Page<infer Row> ? Row : never;

/**
 * A list that is loaded page by page. When the box answers again, it begins again if only its first
 * page was shown: somebody who reads a later one is not sent back.
 */
export function usePages<Path extends PathOf<'get'>>(
  path: Path,
  ...[asked]: Rest<'get', Path>
): {
  readonly rows: Signal<readonly RowOf<AnswerOf<'get', Path>>[]>;
  /** Fields of the first page beside its rows, such as how many there are. */
  readonly first: Signal<AnswerOf<'get', Path> | null>;
  readonly state: Signal<{ readonly more: boolean; readonly loading: boolean; readonly problem: Problem | null }>;
  readonly more: () => void;
  readonly reload: () => void;
} {
  type Row = RowOf<AnswerOf<'get', Path>>;
  const address = addressOf(path, asked);
  const rows = useSignal<readonly Row[]>([]);
  const first = useSignal<AnswerOf<'get', Path> | null>(null);
  const cursor = useSignal<string | number | null>(null);
  const state = useSignal<{ more: boolean; loading: boolean; problem: Problem | null }>({
    more: false,
    loading: true,
    problem: null,
  });
  const round = useSignal(0);
  const pages = useRef(0);
  const returned = useRef(returns.peek());
  const read = useCallback(
    async (after: string | number | null, signal?: AbortSignal) => {
      state.value = { ...state.peek(), loading: true, problem: null };
      try {
        const page = await send<Page<Row>>('GET', pageAddress(address, after), undefined, signal);
        pages.current = after === null ? 1 : pages.current + 1;
        rows.value = after === null ? page.rows : [...rows.peek(), ...page.rows];
        if (after === null) first.value = page as AnswerOf<'get', Path>;
        cursor.value = page.cursor;
        state.value = { more: page.cursor !== null, loading: false, problem: null };
      } catch (error) {
        if (signal?.aborted) return;
        const problem = error as Problem;
        const isBehind = problem.title === 'store_behind';
        problem.comesAgain = isBehind || problem.status === 0;
        state.value = { ...state.peek(), loading: false, problem };
        if (isBehind) setTimeout(() => void read(after, signal), againMs);
      }
    },
    [address, rows, first, cursor, state],
  );
  const readRest = useCallback(
    async (rowsMax: number) => {
      const had = rows.peek();
      const all = [...had];
      let after = cursor.peek();
      if (after === null) return;
      state.value = { ...state.peek(), loading: true, problem: null };
      let problem: Problem | null = null;
      try {
        while (after !== null && all.length < rowsMax) {
          const page: Page<Row> = await send('GET', pageAddress(address, after));
          all.push(...page.rows);
          after = page.cursor;
          pages.current++;
        }
      } catch (error) {
        problem = error as Problem;
      }
      // A list that began again meanwhile has its own rows.
      if (rows.peek() !== had) return;
      batch(() => {
        rows.value = all;
        cursor.value = after;
        state.value = { more: after !== null, loading: false, problem };
      });
    },
    [address, rows, cursor, state],
  );
  useEffect(() => {
    const leaving = new AbortController();
    void read(null, leaving.signal);
    return () => leaving.abort();
  }, [read, round.value]);
  const more = useCallback(() => void read(cursor.peek()), [read, cursor]);
  useEffect(() => addList({ state, rest: readRest }), [readRest, state]);
  useEffect(() => {
    if (returned.current === returns.value) return;
    returned.current = returns.value;
    if (pages.current <= 1) round.value++;
    else if (state.peek().problem) more();
  }, [returns.value, more]);
  const reload = useCallback(() => {
    round.value++;
  }, [round]);
  return { rows, first, state, more, reload };
}

import { type Signal, useSignal } from '@preact/signals';
import { useCallback, useEffect } from 'preact/hooks';
import { get, type Problem } from './api.ts';

export interface Loaded<T> {
  readonly data: T | null;
  readonly problem: Problem | null;
  readonly loading: boolean;
}

/**
 * The response of GET `path`, fetched again when the path changes or `reload` is called. The last
 * response stays until the next arrives.
 */
export function useLoaded<T>(path: string | null): { readonly loaded: Signal<Loaded<T>>; readonly reload: () => void } {
  const loaded = useSignal<Loaded<T>>({ data: null, problem: null, loading: true });
  const round = useSignal(0);
  useEffect(() => {
    if (path === null) return;
    const leaving = new AbortController();
    loaded.value = { ...loaded.peek(), loading: true };
    get<T>(path, leaving.signal).then(
      data => {
        loaded.value = { data, problem: null, loading: false };
      },
      error => {
        if (!leaving.signal.aborted) loaded.value = { ...loaded.peek(), problem: error as Problem, loading: false };
      },
    );
    return () => leaving.abort();
  }, [path, round.value]);
  const reload = useCallback(() => {
    round.value++;
  }, [round]);
  return { loaded, reload };
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Where the next page goes on; null: this was the last. */
  readonly cursor: string | number | null;
}

/** A list that is read page by page: never all of it. */
export function usePages<Row>(path: string): {
  readonly rows: Signal<readonly Row[]>;
  readonly state: Signal<{ readonly more: boolean; readonly loading: boolean; readonly problem: Problem | null }>;
  readonly more: () => void;
  readonly reload: () => void;
} {
  const rows = useSignal<readonly Row[]>([]);
  const cursor = useSignal<string | number | null>(null);
  const state = useSignal<{ more: boolean; loading: boolean; problem: Problem | null }>({
    more: false,
    loading: true,
    problem: null,
  });
  const round = useSignal(0);
  const read = useCallback(
    async (after: string | number | null, signal?: AbortSignal) => {
      state.value = { ...state.peek(), loading: true, problem: null };
      try {
        const joint = path.includes('?') ? '&' : '?';
        const page = await get<Page<Row>>(
          after === null ? path : `${path}${joint}cursor=${encodeURIComponent(after)}`,
          signal,
        );
        rows.value = after === null ? page.rows : [...rows.peek(), ...page.rows];
        cursor.value = page.cursor;
        state.value = { more: page.cursor !== null, loading: false, problem: null };
      } catch (error) {
        if (signal?.aborted) return;
        state.value = { ...state.peek(), loading: false, problem: error as Problem };
      }
    },
    [path, rows, cursor, state],
  );
  useEffect(() => {
    const leaving = new AbortController();
    void read(null, leaving.signal);
    return () => leaving.abort();
  }, [read, round.value]);
  const more = useCallback(() => void read(cursor.peek()), [read, cursor]);
  const reload = useCallback(() => {
    round.value++;
  }, [round]);
  return { rows, state, more, reload };
}

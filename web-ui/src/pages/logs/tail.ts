import { type Signal, useSignal } from '@preact/signals';
import { useCallback, useEffect } from 'preact/hooks';
import type { LogTailPage } from '../../../../src/admin/ui/logs.ts';
import { get, type Problem, query } from '../../api.ts';

export type LogRow = LogTailPage['rows'][number];
type Asked = Record<string, string | number | null | undefined>;

const followEveryMs = 2000;
const pageRows = 100;
/** So many rows stay on the page while it follows. */
const rowsMax = 1000;

export interface Tail {
  readonly rows: readonly LogRow[];
  /** Came in while the reader was further down. */
  readonly held: readonly LogRow[];
  readonly before: number | null;
  readonly dropped: number;
  readonly loading: boolean;
  /** Null before the first answer. */
  readonly problem: Problem | null;
  readonly loaded: boolean;
}

const empty: Tail = { rows: [], held: [], before: null, dropped: 0, loading: true, problem: null, loaded: false };

/** Logs from the newest back, and with `follow` what is new every 2 s: shown at once at the top of the page, held back below it. */
export function useTail(asked: Asked, follow: boolean): { tail: Signal<Tail>; back: () => void; release: () => void } {
  const tail = useSignal<Tail>(empty);
  const key = JSON.stringify(asked);

  const read = useCallback(
    async (place: Asked, signal?: AbortSignal): Promise<LogTailPage | null> => {
      try {
        return await get<LogTailPage>(`/ui/logs${query({ ...JSON.parse(key), ...place, limit: pageRows })}`, signal);
      } catch (error) {
        if (!signal?.aborted) tail.value = { ...tail.peek(), loading: false, problem: error as Problem };
        return null;
      }
    },
    [key, tail],
  );

  useEffect(() => {
    const leaving = new AbortController();
    tail.value = { ...empty, dropped: tail.peek().dropped };
    void read({}, leaving.signal).then(page => {
      if (page)
        tail.value = {
          ...empty,
          rows: page.rows,
          before: page.before,
          dropped: page.dropped,
          loading: false,
          loaded: true,
        };
    });
    return () => leaving.abort();
  }, [read, tail]);

  useEffect(() => {
    if (!follow) return;
    const leaving = new AbortController();
    const look = async () => {
      const { loaded, rows, held } = tail.peek();
      if (!loaded || document.hidden) return;
      const after = held[0]?.seq ?? rows[0]?.seq ?? 0;
      const page = await read({ after }, leaving.signal);
      if (!page || leaving.signal.aborted) return;
      const now = tail.peek();
      const seen = now.held[0]?.seq ?? now.rows[0]?.seq ?? 0;
      const fresh = page.rows.filter(row => row.seq > seen);
      const atTop = window.scrollY < 200;
      tail.value = {
        ...now,
        problem: null,
        dropped: page.dropped,
        rows: atTop ? [...fresh, ...now.held, ...now.rows].slice(0, rowsMax) : now.rows,
        held: atTop ? [] : [...fresh, ...now.held].slice(0, rowsMax),
      };
    };
    const timer = setInterval(() => void look(), followEveryMs);
    return () => {
      clearInterval(timer);
      leaving.abort();
    };
  }, [follow, read, tail]);

  const back = useCallback(async () => {
    const { before } = tail.peek();
    if (before === null) return;
    tail.value = { ...tail.peek(), loading: true, problem: null };
    const page = await read({ before });
    if (!page) return;
    const now = tail.peek();
    tail.value = { ...now, rows: [...now.rows, ...page.rows], before: page.before, loading: false };
  }, [read, tail]);

  const release = useCallback(() => {
    const now = tail.peek();
    tail.value = { ...now, rows: [...now.held, ...now.rows].slice(0, rowsMax), held: [] };
    window.scrollTo(0, 0);
  }, [tail]);
  return { tail, back: () => void back(), release };
}

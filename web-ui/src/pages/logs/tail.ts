import { type Signal, useSignal } from '@preact/signals';
import { useCallback, useEffect } from 'preact/hooks';
import type { LogTailPage } from '../../../../src/admin/ui/logs.ts';
import { get, type Problem } from '../../api.ts';

export type LogRow = LogTailPage['rows'][number];
type Asked = Record<string, string | number | null | undefined>;

const followEveryMs = 2000;
const pageRows = 100;
/** Rows that stay on the page while it follows. */
const rowsMax = 1000;
/** Scrolled further down than this, the list stays where it is. */
export const topPixels = 200;

export interface Tail {
  readonly rows: readonly LogRow[];
  /** Cursor for older logs; null: there are none. */
  readonly before: number | null;
  /** Arrived while the reader was further down. */
  readonly held: readonly LogRow[];
  /** Cursor of the gap below `held`, if more logs arrived at once than one answer holds. */
  readonly heldGap: number | null;
  /** How far the follower has read. */
  readonly newest: number;
  readonly dropped: number;
  readonly loading: boolean;
  readonly problem: Problem | null;
  /** The first answer is there. */
  readonly loaded: boolean;
}

const empty: Tail = {
  rows: [],
  before: null,
  held: [],
  heldGap: null,
  newest: 0,
  dropped: 0,
  loading: true,
  problem: null,
  loaded: false,
};

/** Puts what was held back on top. The list is bounded; the older logs can be searched for. */
function joined(tail: Tail): Tail {
  const { held, heldGap } = tail;
  if (held.length === 0) return tail;
  const all = heldGap === null ? [...held, ...tail.rows] : held;
  const rows = all.slice(0, rowsMax);
  const before = rows.length < all.length ? rows.at(-1)!.seq : heldGap === null ? tail.before : heldGap;
  return { ...tail, rows, before, held: [], heldGap: null };
}

/** Adds new logs to those that are held. */
function withNew(tail: Tail, page: LogTailPage): Tail {
  const next = { ...tail, problem: null, dropped: page.dropped, newest: page.newest };
  if (page.rows.length === 0) return next;
  if (page.before !== null) return { ...next, held: page.rows, heldGap: page.before };
  return { ...next, held: [...page.rows, ...tail.held].slice(0, rowsMax) };
}

/**
 * Logs from the newest back, and with `follow` what is new every 2 s: shown at once at the top of
 * the page, held back below it.
 */
export function useTail(asked: Asked, follow: boolean): { tail: Signal<Tail>; back: () => void; release: () => void } {
  const tail = useSignal<Tail>(empty);
  const key = JSON.stringify(asked);

  const read = useCallback(
    async (place: Asked, signal?: AbortSignal): Promise<LogTailPage | null> => {
      try {
        return await get('/ui/logs', { ...JSON.parse(key), ...place, limit: pageRows }, signal);
      } catch (error) {
        const problem = error as Problem;
        problem.comesAgain = 'after' in place;
        if (!signal?.aborted) tail.value = { ...tail.peek(), loading: false, problem };
        return null;
      }
    },
    [key, tail],
  );

  useEffect(() => {
    const leaving = new AbortController();
    tail.value = { ...empty, dropped: tail.peek().dropped };
    void read({}, leaving.signal).then(page => {
      if (page && !leaving.signal.aborted) tail.value = { ...empty, ...page, loading: false, loaded: true };
    });
    return () => leaving.abort();
  }, [read, tail]);

  useEffect(() => {
    if (!follow) return;
    const leaving = new AbortController();
    let looking = false;
    const look = async () => {
      if (looking || !tail.peek().loaded || document.hidden) return;
      looking = true;
      const page = await read({ after: tail.peek().newest }, leaving.signal);
      looking = false;
      if (!page || leaving.signal.aborted) return;
      const next = withNew(tail.peek(), page);
      tail.value = window.scrollY < topPixels ? joined(next) : next;
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
    const now = tail.peek();
    // Another list may be shown by now.
    if (!page || now.before !== before) return;
    tail.value = { ...now, rows: [...now.rows, ...page.rows], before: page.before, loading: false };
  }, [read, tail]);

  const release = useCallback(() => {
    tail.value = joined(tail.peek());
    window.scrollTo(0, 0);
  }, [tail]);
  return { tail, back: () => void back(), release };
}

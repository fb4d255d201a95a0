import type { UnixMs } from '../../runtime/clock.ts';
import type { Reading, ReadsOf } from '../domain.ts';
import { type LogSearch, matchesIn, pathTest } from '../log-blocks/search.ts';
import type { DeviceNo, JournalRecord, Seq } from '../port/journal.ts';
import { Slices } from '../readers/slices.ts';

/**
 * A log in the form of CONTRACT 7 (`export`, `GET /admin/v1/logs`): the names are those of the
 * export, so that a row goes into a file or an answer unchanged.
 */
export interface LogRow {
  readonly seq: Seq;
  readonly deviceNo: DeviceNo;
  readonly device_id: string;
  readonly model: string;
  readonly sn: string;
  readonly received_at: UnixMs;
  readonly text: string;
  readonly truncated: boolean;
  readonly repaired: boolean;
  /**
   * A box below sent an impossible `received_at`, which was replaced by the nearest possible one.
   */
  readonly clamped: boolean;
}

/** Letters match without case. `from` is inclusive, `to` exclusive, both by time of receipt. */
type LogFilter = Omit<LogSearch, 'before' | 'after'>;

export interface LogQuery extends LogFilter {
  /** Only after this seq (oldest first). */
  readonly after?: number | undefined;
  readonly limit: number;
  /** Ends the search: the caller has gone away. */
  readonly signal?: AbortSignal | undefined;
}

/** Logs from the newest back. */
interface LogTailQuery extends LogFilter {
  /** Only below this seq. */
  readonly before?: Seq | undefined;
  /** Only above this seq. */
  readonly after?: Seq | undefined;
  readonly limit: number;
}

interface LogTail {
  /** Newest first. */
  readonly rows: LogRow[];
  /** The cursor of the next page, even if nothing matched so far. Null: there is nothing older. */
  readonly before: Seq | null;
  /** The newest of all logs, matching or not: somebody who follows continues after it. */
  readonly newest: Seq;
}

/** For one page of `logTail`: time ends none that has looked at fewer than the least. */
const lookedAtMax = 20_000;
const lookedAtLeast = 1_000;
const pageMs = 250;

function reads({ logBlocks: blocks, devices }: Reading) {
  const deviceIdOf = (no: DeviceNo): string => devices.deviceByNo(no)?.deviceId ?? `#${no}`;

  const rowOf = ({ path, ...row }: Omit<LogRow, 'device_id' | 'model' | 'sn'> & { readonly path: string }): LogRow => {
    const slash = path.indexOf('/');
    return { ...row, device_id: deviceIdOf(row.deviceNo), model: path.slice(0, slash), sn: path.slice(slash + 1) };
  };
  const ofBlock = ({ seq, deviceNo, receivedAt, logPath: path, marks, payload }: JournalRecord): LogRow =>
    rowOf({
      ...{ seq, deviceNo, received_at: receivedAt, path, text: textOf(payload) },
      ...{ truncated: marks.truncated === true, repaired: marks.repaired === true, clamped: marks.clamped === true },
    });

  /** From the newest back, until `isEnough`: asked with how many logs it has looked at. */
  async function back(
    search: LogSearch,
    limit: number,
    isEnough: (looked: number) => boolean = () => false,
  ): Promise<{ found: LogRow[]; before: number | null }> {
    const slices = new Slices();
    const found: LogRow[] = [];
    let looked = 0;
    const hasPath = pathTest(search);
    for (const head of blocks.heads(search, 'DESC')) {
      if (typeof head === 'number') {
        if (isEnough(looked)) return { found, before: head };
      } else {
        const block = blocks.open(head);
        for (const log of block ? matchesIn(block, search, hasPath).reverse() : [])
          if (found.push(ofBlock(log)) === limit) return { found, before: log.seq };
        looked += head.count;
        if (isEnough(looked)) return { found, before: head.first_seq };
      }
      if (slices.isOver) await slices.next();
    }
    return { found, before: null };
  }

  return {
    /** Oldest first. */
    async logs({ limit, signal, after = 0, ...asked }: LogQuery): Promise<LogRow[]> {
      const slices = new Slices(signal);
      const found: LogRow[] = [];
      const search = { ...asked, before: Number.MAX_SAFE_INTEGER };
      const hasPath = pathTest(search);
      for (const head of blocks.heads({ ...search, after }, 'ASC')) {
        const block = typeof head === 'number' ? null : blocks.open(head);
        for (const log of block ? matchesIn(block, { ...search, after }, hasPath) : [])
          if (found.push(ofBlock(log)) >= limit) return found;
        if (slices.isOver) await slices.next();
      }
      return found;
    },

    /** The newest logs of a device, newest first; `after`: only those with a greater seq. */
    async lastLogs(deviceNo: DeviceNo, { limit, after = -1 }: { limit: number; after?: number }): Promise<LogRow[]> {
      const { found } = await back({ after, before: Number.MAX_SAFE_INTEGER, deviceNo }, limit);
      return found;
    },

    /**
     * Looks at a bounded number of logs, however few match: a rare word in millions of logs takes
     * several pages. With an empty `deviceNos` there are none.
     */
    async logTail({
      before = Number.MAX_SAFE_INTEGER as Seq,
      after = 0 as Seq,
      limit,
      ...asked
    }: LogTailQuery): Promise<LogTail> {
      const newest = blocks.newestSeq() as Seq;
      if (asked.deviceNos?.size === 0) return { rows: [], before: null, newest };
      const endsAt = performance.now() + pageMs;
      // Logs of one device stand among those of others, which are no measure.
      const most = asked.deviceNo === undefined ? lookedAtMax : Number.POSITIVE_INFINITY;
      const tail = await back(
        { ...asked, after, before },
        limit,
        looked => looked >= most || (looked >= lookedAtLeast && performance.now() > endsAt),
      );
      return { rows: tail.found, before: tail.before as Seq | null, newest };
    },
  };
}

const textOf = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('utf8');

/** Logs of devices. All reads work in slices: a rare word in millions of logs takes seconds. */
export const logs = { reads, writes: {} };

export type LogReads = ReadsOf<typeof logs>;

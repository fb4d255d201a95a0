import type { UnixMs } from '../../runtime/clock.ts';
import type { Reading, ReadsOf } from '../domain.ts';
import { eachLog, type LogBlock } from '../log-blocks/block.ts';
import type { BlockQuery } from '../log-blocks/block-reader.ts';
import type { DeviceNo, JournalRecord, Seq } from '../port/journal.ts';
import { Slices } from '../readers/slices.ts';

/** Query for logs. Letters match without case, those of ASCII alone. */
interface LogSearch extends BlockQuery {
  /** Of any of these. Blocks are opened for them: only for one device their heads tell. */
  readonly deviceNos?: ReadonlySet<DeviceNo> | undefined;
  readonly model?: string | undefined;
  readonly sn?: string | undefined;
  /** Contained anywhere. */
  readonly text?: string | undefined;
}

/**
 * The logs of a block that match, by their seqs; their payloads are views into the block.
 * `hasPath`: `pathTest` of the search, one for all its blocks.
 */
function matchesIn(block: LogBlock, search: LogSearch, hasPath: PathTest | null): JournalRecord[] {
  const { after, before, deviceNo, deviceNos, from, to } = search;
  const found: JournalRecord[] = [];
  const words = search.text ? new WordsIn(block.packed, search.text) : null;
  if (words?.isNowhere) return found;
  eachLog(
    block,
    log => {
      if (from !== undefined && log.receivedAt < from) return;
      if (to !== undefined && log.receivedAt >= to) return;
      if (hasPath && !hasPath(log.logPath)) return;
      if (words && !words.isIn(log.payload)) return;
      found.push(log);
    },
    (seq, ofDevice, start, end) =>
      seq > after &&
      seq < before &&
      (deviceNo === undefined || ofDevice === deviceNo) &&
      (deviceNos === undefined || deviceNos.has(ofDevice)) &&
      (words === null || words.mayBeIn(start, end)),
  );
  return found;
}

/**
 * Looks for a text in all of a block at once, and goes from one place where it stands to the next:
 * most logs are passed over without a look.
 */
class WordsIn {
  readonly #bytes: Buffer;
  readonly #words: Buffer;
  readonly #packed: Buffer;
  #at: number;

  constructor(packed: Buffer, text: string) {
    this.#packed = packed;
    const lower = asciiLower(text);
    this.#words = Buffer.from(lower);
    this.#bytes = lower.toUpperCase() === lower ? packed : lowered(packed);
    this.#at = this.#bytes.indexOf(this.#words);
  }

  get isNowhere(): boolean {
    return this.#at < 0;
  }

  /** Asked in the order of the logs, with where each begins and ends. */
  mayBeIn(start: number, end: number): boolean {
    this.#goTo(start);
    return this.#at >= 0 && this.#at < end;
  }

  /** `payload`: a view into the block. */
  isIn(payload: Uint8Array): boolean {
    const start = payload.byteOffset - this.#packed.byteOffset;
    this.#goTo(start);
    return this.#at >= 0 && this.#at + this.#words.length <= start + payload.length;
  }

  #goTo(start: number): void {
    if (this.#at >= 0 && this.#at < start) this.#at = this.#bytes.indexOf(this.#words, start);
  }
}

/** As `lowered` does it with the bytes of a block. */
const asciiLower = (text: string): string => text.replace(/[A-Z]+/g, letters => letters.toLowerCase());

/** One for all blocks: a new one for each makes V8 collect the whole heap every few blocks. */
let room = new Uint32Array(0);

/**
 * The bytes with ASCII letters in lower case; valid until the next call. Works on four bytes at a
 * time: a search through all logs takes much of its time here.
 */
function lowered(bytes: Buffer): Buffer {
  const count = Math.ceil(bytes.length / 4);
  if (room.length < count) room = new Uint32Array(count);
  const words = room;
  const lower = Buffer.from(words.buffer, 0, bytes.length);
  bytes.copy(lower);
  for (let at = 0; at < count; at++) {
    const four = words[at]!;
    const low = four & 0x7f7f7f7f;
    // The high bit of each byte: set where it is `A` or more, and where it is more than `Z`.
    const isLetter = ((low + 0x3f3f3f3f) ^ (low + 0x25252525)) & ~four & 0x80808080;
    words[at] = four | (isLetter >>> 2);
  }
  return lower;
}

type PathTest = (path: string) => boolean;

/**
 * Test of a path (`{model}/{sn}`); null if any will do. Remembers its answers: thousands of logs
 * have one path.
 */
function pathTest({ model, sn }: Pick<LogSearch, 'model' | 'sn'>): PathTest | null {
  if (model === undefined && sn === undefined) return null;
  const start = model === undefined ? '' : `${asciiLower(model)}/`;
  const end = sn === undefined ? '' : `/${asciiLower(sn)}`;
  const known = new Map<string, boolean>();
  return path => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const lower = asciiLower(path);
    const fits = lower.startsWith(start) && lower.endsWith(end);
    if (known.size < pathsKnownMax) known.set(path, fits);
    return fits;
  };
}

/** Devices may write any path. */
const pathsKnownMax = 10_000;

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

interface LogQuery extends LogFilter {
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

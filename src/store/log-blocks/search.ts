import type { DeviceNo, JournalRecord } from '../port/journal.ts';
import { eachLog, type LogBlock } from './block.ts';
import type { BlockQuery } from './block-reader.ts';

/** Query for logs. Letters match without case, those of ASCII alone. */
export interface LogSearch extends BlockQuery {
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
export function matchesIn(block: LogBlock, search: LogSearch, hasPath: PathTest | null): JournalRecord[] {
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

/** As SQLite's lower(): the rows of older stores are searched by it. */
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
export function pathTest({ model, sn }: Pick<LogSearch, 'model' | 'sn'>): PathTest | null {
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

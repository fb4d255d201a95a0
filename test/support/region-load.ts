import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { JournalRecord, Seq, Store } from '../../src/store/index.ts';
import { openedPostgresStore } from './postgres-store.ts';
import { aProduct, applied, registered } from './store.ts';

const child = fileURLToPath(new URL('./region-child.ts', import.meta.url));
const boxes = [1, 2, 3];

/** What the processes of a region say that they have committed. */
export class Acknowledged {
  readonly texts: string[] = [];
  #lastAt = performance.now();
  /** The longest time in which nothing was acknowledged, in milliseconds. */
  longestPauseMs = 0;

  add(text: string): void {
    const now = performance.now();
    this.longestPauseMs = Math.max(this.longestPauseMs, now - this.#lastAt);
    this.#lastAt = now;
    this.texts.push(text);
  }
}

/**
 * One process that takes batches and appends records (region-child.ts), started again whenever it
 * ends, as a supervisor does; every start has a name of its own.
 */
export class RegionProcess {
  readonly #url: string;
  readonly #name: string;
  readonly #acknowledged: Acknowledged;
  #starts = 0;
  #process: ChildProcess | null = null;
  #isOver = false;

  constructor(url: string, name: string, acknowledged: Acknowledged) {
    this.#url = url;
    this.#name = name;
    this.#acknowledged = acknowledged;
    this.#start();
  }

  #start(): void {
    const name = `${this.#name}.${++this.#starts}`;
    const started = spawn(process.execPath, [child, this.#url, name, ...boxes.map(String)], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#process = started;
    createInterface(started.stdout).on('line', line => this.#acknowledged.add(line));
    started.once('close', () => {
      if (!this.#isOver) this.#start();
    });
  }

  async kill(): Promise<void> {
    const killed = this.#process!;
    const closed = once(killed, 'close');
    killed.kill('SIGKILL');
    await closed;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.kill();
  }
}

/** Makes what the processes' records belong to. */
export async function prepareRegion(url: string): Promise<void> {
  await using store = await openedPostgresStore(url);
  await applied(store, { products: [aProduct()] });
  for (const box of boxes) await registered(store, `FACE-T1_${box}`);
}

/** Reads the journal as it grows, by a cursor of its own. */
export async function readOn(store: Store, from: Seq, into: JournalRecord[]): Promise<Seq> {
  let after = from;
  for (const { lastSeq } = store.journal; after < lastSeq; ) {
    const { records, through } = await store.journal.read(after, { bytesMax: 1 << 20 });
    into.push(...records);
    after = through;
  }
  return after;
}

export interface Seen {
  /** What processes printed when it was committed. */
  readonly acknowledged: readonly string[];
  /** What a reader found by its own cursor meanwhile. */
  readonly read: readonly JournalRecord[];
  /** All that stands in the journal afterwards. */
  readonly stored: readonly JournalRecord[];
}

const textOf = ({ payload }: JournalRecord): string => Buffer.from(payload).toString();
const ownerOf = (text: string): string => text.slice(0, text.lastIndexOf(':'));
const numberOf = (text: string): number => Number(text.slice(text.lastIndexOf(':') + 1));

function byOwner(texts: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const text of texts) {
    const numbers = found.get(ownerOf(text)) ?? [];
    numbers.push(numberOf(text));
    found.set(ownerOf(text), numbers);
  }
  return found;
}

/** How many records are not as they have to be. */
export function faultsIn({ acknowledged, read, stored }: Seen) {
  const kept = byOwner(stored.map(textOf));
  let lost = 0;
  let outOfOrder = 0;
  for (const [owner, numbers] of byOwner(acknowledged)) {
    const own = kept.get(owner) ?? [];
    // Of a box every line from the first one on, of a process all that it numbered.
    const first = owner.startsWith('box') ? 1 : 0;
    outOfOrder += own.filter((number, index) => number !== first + index).length;
    const known = new Set(own);
    lost += numbers.filter(number => !known.has(number)).length;
  }
  // A number that was given out twice is another record.
  const seen = new Map(read.map(record => [record.seq, textOf(record)]));
  return {
    lost,
    outOfOrder,
    unnumbered: stored.filter(({ seq }, index) => seq !== index + 1).length,
    passedOver: stored.filter(record => seen.get(record.seq) !== textOf(record)).length,
    readTwice: read.length - seen.size,
  };
}

export const noFaults = { lost: 0, outOfOrder: 0, unnumbered: 0, passedOver: 0, readTwice: 0 };

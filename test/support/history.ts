import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, TestRunner } from 'vitest';
import type { Arrival } from '../../tools/sim/index.ts';
import { checkFile } from '../history/check.ts';
import type { Entry, Line, Read, RecordOf, Row } from '../history/entry.ts';
import { judgeAll, type Verdict } from '../history/judge.ts';
import { type Fault, faults } from '../history/plant.ts';
import type { BoxUnderTest } from './box-under-test.ts';
import type { Said } from './terminal.ts';

const folder = fileURLToPath(new URL('../../node_modules/.cache/histories/', import.meta.url));
const linesBufferedMax = 1000;

/** Faults that a history with tables or a way up must have a place for. */
export const tableFaults = ['a lost row', 'a row that is there twice', 'two rows that changed places'] as const;
export const upwardFaults = ['a loss on the way up', 'two arrivals that changed places', 'another mid'] as const;

/** File of all that the parties of a test did and were answered, which test/history judges. */
export class History implements Disposable {
  readonly file: string;
  readonly #handle: number;
  #lines: string[] = [];
  #isSound = false;
  #isClosed = false;

  constructor() {
    mkdirSync(folder, { recursive: true });
    const name = TestRunner.getCurrentTest()?.name.replace(/\W+/g, '-').slice(0, 150) ?? 'history';
    this.file = join(folder, `${name}.ndjson`);
    this.#handle = openSync(this.file, 'w');
  }

  /** A terminal of a test that has ended may still try. */
  write(by: string, line: Line): void {
    if (this.#isClosed) return;
    const at = Number(process.hrtime.bigint()) / 1e6;
    this.#lines.push(`${JSON.stringify({ at, by, ...line })}\n`);
    if (this.#lines.length >= linesBufferedMax) this.#flush();
  }

  note(text: string): void {
    this.write('test', { op: 'note', text });
  }

  /**
   * Resolves with one sentence about the history. Expects that no rule is broken in it, and that
   * each of these faults is found in a copy that has it. A history without a place for one shows
   * less than it should, and fails.
   */
  async expectSound(planted: readonly Fault[]): Promise<string> {
    const { findings, says } = await this.verdict();
    expect(findings, `${says}: bin/node test/history/check.ts ${this.file}`).toEqual([]);
    const entries = readFileSync(this.file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as Entry);
    for (const fault of planted) {
      const copy = faults[fault].plant(entries);
      const rules = copy === null ? `no place for ${fault}` : judgeAll(copy).findings.map(({ rule }) => rule);
      expect(rules, fault).toContain(faults[fault].rule);
    }
    this.#isSound = true;
    return says;
  }

  verdict(): Promise<Verdict> {
    this.#flush();
    return checkFile(this.file);
  }

  #flush(): void {
    writeSync(this.#handle, this.#lines.join(''));
    this.#lines = [];
  }

  /** A history with a finding stays, to be looked at. */
  [Symbol.dispose](): void {
    this.#flush();
    this.#isClosed = true;
    closeSync(this.#handle);
    if (this.#isSound) rmSync(this.file);
  }
}

export const digestOf = (text: string): string => createHash('sha1').update(text).digest('hex').slice(0, 12);

/** The box fills in the time of a message that has none. */
function contentOf(channel: Said['channel'], text: string): string {
  if (channel === 'log') return digestOf(text);
  const { mid, from, action, data } = JSON.parse(text);
  return digestOf(JSON.stringify([mid, from, action, data]));
}

const kinds = { device: 'message', log: 'log' } as const;

/** Records of tests end in their number: `A0001-17`, `p17`. */
export const numberOf = (name: string): number => Number(/(\d+)$/.exec(name)?.[1]);

export const recordOf = (device: string, channel: Said['channel'], name: string): RecordOf => ({
  ...{ device, kind: kinds[channel], n: numberOf(name) },
});

/** Words and answers of a terminal, session by session. */
export class TerminalHistory {
  readonly #history: History;
  readonly #device: string;
  #session = 0;

  constructor(history: History, device: string) {
    this.#history = history;
    this.#device = device;
  }

  loggedIn(): void {
    this.#history.write('device', { op: 'login', device: this.#device, session: ++this.#session });
  }

  sent(said: Said): void {
    const mid = said.channel === 'device' ? { mid: said.mid } : {};
    const digest = contentOf(said.channel, said.text);
    this.#history.write('device', { op: 'send', ...this.#recordOf(said), ...this.#inSession, ...mid, digest });
  }

  acknowledged(said: Said): void {
    this.#history.write('device', { op: 'ack', ...this.#recordOf(said), ...this.#inSession });
  }

  get #inSession() {
    return this.#session > 0 ? { session: this.#session } : {};
  }

  #recordOf({ channel, mid }: Said): RecordOf {
    return recordOf(this.#device, channel, mid);
  }
}

/**
 * For `onEvent` of the simulated cloud: writes each record before the cloud acknowledges it.
 * `sameBytes`: no device sends a record twice, so a repeat is the same to the byte.
 */
export const arrivalsInto =
  (history: History, { sameBytes = false } = {}) =>
  (event: { readonly kind: string; readonly arrival?: Arrival }): void => {
    if (event.kind !== 'record') return;
    const { channel, deviceId, mid, payload } = event.arrival!;
    const record = recordOf(deviceId, channel, channel === 'device' ? mid : JSON.parse(payload).log);
    const content = {
      digest: contentOf(channel, payload),
      ...(sameBytes && { bytes: digestOf(payload) }),
      ...(channel === 'device' && { mid }),
    };
    history.write('cloud', { op: 'arrival', to: 'cloud', ...record, ...content });
  };

interface CheckInRow {
  readonly id: number;
  readonly device_id: string;
  readonly ext_id: string;
}
interface LogRow {
  readonly device_id: string;
  readonly text: string;
  readonly received_at: number;
}

type ReadOf = Omit<Read, 'op' | 'kind' | 'store'>;

/** Staff export the check-ins and the logs of a box. */
export async function readTables(history: History, box: BoxUnderTest, of: ReadOf = {}, store = 'box'): Promise<void> {
  await readCheckIns(history, box, of, store);
  await readLogs(history, box, of, store);
}

export async function readCheckIns(history: History, box: BoxUnderTest, of: ReadOf = {}, store = 'box'): Promise<void> {
  const read = beginReading(history, { ...of, store, kind: kinds.device });
  for (const { id, device_id, ext_id } of await box.export<CheckInRow>('checkins'))
    read.row({ id, device: device_id, n: numberOf(ext_id) });
  read.end();
}

export async function readLogs(history: History, box: BoxUnderTest, of: ReadOf = {}, store = 'box'): Promise<void> {
  const read = beginReading(history, { ...of, store, kind: kinds.log });
  for (const { device_id, text, received_at } of await box.export<LogRow>('logs')) {
    const n = numberOf(JSON.parse(text).log);
    read.row({ device: device_id, n, digest: digestOf(text), received: received_at });
  }
  read.end();
}

/** Call it before the reading: what is acknowledged from here on may be missing in it. */
export function beginReading(history: History, of: Omit<Read, 'op'>) {
  const { store, kind } = of;
  history.write('staff', { op: 'read', ...of });
  return {
    row: (row: Omit<Row, 'op' | 'store' | 'kind'>) => history.write('staff', { op: 'row', store, kind, ...row }),
    end: () => history.write('staff', { op: 'read_end', store, kind }),
  };
}

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../support/clock.ts';
import { FileDisk } from './cut-disk.ts';
import { Cutter } from './cutter.ts';
import { drawMoments, kinds, type Moment } from './moments.ts';
import { PowerCut } from './power-cut.ts';
import { type LogEntry, readWriteLog, sectorBytes, WriteLogWriter } from './write-log.ts';
import { WriteLogFile } from './write-log-file.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-cutter-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A log in which sector n is filled with a letter; `|` is a flush. `Aa`: both sectors at once. */
function aLog(...requests: readonly (string | { at: number; letters: string })[]): LogEntry[] {
  const file = join(folder, 'log');
  const writer = new WriteLogWriter(file);
  for (const request of requests)
    if (request === '|') writer.flush();
    else if (typeof request === 'object')
      writer.write(
        request.at * sectorBytes,
        Buffer.concat([...request.letters].map(letter => Buffer.alloc(sectorBytes, letter))),
      );
  writer.close();
  return readWriteLog(file);
}

const write = (at: number, letters: string) => ({ at, letters });

/** The letters of the sectors of an image; `.` is an empty one. */
function lettersOf(image: string): string {
  const bytes = readFileSync(image);
  let letters = '';
  for (let at = 0; at < bytes.length; at += sectorBytes) letters += String.fromCharCode(bytes[at] || 46);
  return letters;
}

function cut(entries: readonly LogEntry[], moment: Partial<Moment>, lies = {}): string {
  const image = join(folder, 'cut.img');
  const at: Moment = { entries: entries.length, kind: 'none', seed: 1, choice: 'anywhere', ...moment };
  new Cutter(Buffer.alloc(6 * sectorBytes), entries, lies).cut(at, image);
  return lettersOf(image);
}

describe('what a cut leaves', () => {
  const log = () => aLog(write(0, 'A'), write(1, 'B'), '|', write(0, 'C'), write(2, 'DEFG'));

  test('all that came before a flush, and nothing else, when nothing else was kept', () => {
    expect(cut(log(), { kind: 'none' })).toBe('AB....');
  });

  test('what came after it too, when all was kept', () => {
    expect(cut(log(), { kind: 'all' })).toBe('CBDEFG');
  });

  test('nothing that was asked for later', () => {
    expect(cut(log(), { entries: 2, kind: 'all' })).toBe('AB....');
    expect(cut(log(), { entries: 2, kind: 'none' })).toBe('......');
  });

  test('a durable write and what it covers, but nothing else that was not flushed', () => {
    const entries = aLog(write(0, 'AB'), write(3, 'C'), write(1, 'D')).map((entry, at) => ({
      ...entry,
      isDurable: at === 2,
    }));
    expect(cut(entries, {})).toBe('AD....');
    expect(cut(entries, {}, { dropFlushes: 1 })).toBe('......');
  });

  test('what was flushed before a disk began to lie, and nothing that it confirmed later', () => {
    const entries = aLog(write(0, 'A'), '|', write(1, 'B'), '|', write(2, 'C'), '|');
    expect(cut(entries, {}, { dropFlushes: 1, from: 2 })).toBe('A.....');
    expect(cut(entries, { entries: 4 }, { dropFlushes: 1, from: 4 })).toBe('AB....');
  });

  test('the same of a log that is read from its file bit by bit, and a disk in a file', () => {
    aLog(write(0, 'A'), write(1, 'B'), '|', write(0, 'C'), write(2, 'DEFG'));
    const image = join(folder, 'disk.img');
    writeFileSync(image, Buffer.alloc(6 * sectorBytes));
    using log = new WriteLogFile(join(folder, 'log'));
    using disk = new FileDisk(image);
    const power = new PowerCut(disk, log.entries);
    {
      using _ = power.leave({ entries: 4, kind: 'all', seed: 1 });
      expect(lettersOf(image)).toBe('CB....');
    }
    expect(lettersOf(image)).toBe('AB....');
    power.leave({ entries: 5, kind: 'all', seed: 1 });
    expect(lettersOf(image)).toBe('CBDEFG');
    expect(log.entriesWithin(log.bytesOf(4))).toBe(4);
    expect(log.entriesWithin(log.bytesOf(5) - 1)).toBe(4);
  });

  test('some of what no flush confirmed, by the seed', () => {
    const seen = new Set(Array.from({ length: 40 }, (_, seed) => cut(log(), { kind: 'half', seed })));
    expect([...seen].sort()).toEqual(['AB....', 'ABDEFG', 'CB....', 'CBDEFG']);
    expect(cut(log(), { kind: 'half', seed: 7 })).toBe(cut(log(), { kind: 'half', seed: 7 }));
  });

  test('the later write without the earlier one, when the disk took another order', () => {
    const seen = new Set(Array.from({ length: 40 }, (_, seed) => cut(log(), { kind: 'reordered', seed })));
    expect([...seen].sort()).toEqual(['ABDEFG', 'CB....', 'CBDEFG']);
  });

  test('whole sectors from the beginning or the end of the last write, when it is torn', () => {
    const seen = new Set(Array.from({ length: 200 }, (_, seed) => cut(log(), { kind: 'torn', seed })));
    expect([...seen].sort()).toEqual(['CB....', 'CB...G', 'CB..FG', 'CB.EFG', 'CBD...', 'CBDE..', 'CBDEF.']);
  });

  test('less than was promised, of a disk that drops its flushes', () => {
    expect(cut(log(), { kind: 'none' }, { dropFlushes: 1 })).toBe('......');
  });

  test('the same at one moment, whatever was cut before it', () => {
    const entries = log();
    const image = join(folder, 'next.img');
    const cutter = new Cutter(Buffer.alloc(6 * sectorBytes), entries);
    for (const kind of kinds) cutter.cut({ entries: 5, kind, seed: 3, choice: 'anywhere' }, image);
    cutter.cut({ entries: 5, kind: 'none', seed: 3, choice: 'anywhere' }, image);
    expect(lettersOf(image)).toBe('AB....');
  });
});

describe('the moments', () => {
  const entries = aLogOfFlushes();
  const drawn = (count: number) =>
    drawMoments({ from: 10, entries, acknowledged: [5, 12, 14] }, count, seededRandom(1));

  test('half of them stand right after an acknowledgement, none before the beginning', () => {
    const moments = drawn(20);
    const sharp = moments.filter(({ choice }) => choice === 'acknowledgement');
    expect(sharp).toHaveLength(10);
    for (const { entries: at } of sharp) expect([12, 14]).toContain(at);
    expect(Math.min(...moments.map(({ entries: at }) => at))).toBeGreaterThanOrEqual(10);
  });

  test('each flush is one of them, where they suffice', () => {
    const flushes = drawn(60).filter(({ choice }) => choice === 'flush');
    expect(flushes.map(({ entries: at }) => at)).toEqual([11, 13, 15, 17, 19]);
  });

  test('they are the same from the same seed, in their order', () => {
    expect(drawn(30)).toEqual(drawn(30));
    const places = drawn(30).map(({ entries: at }) => at);
    expect(places).toEqual([...places].sort((one, other) => one - other));
  });
});

/** Twenty requests, each second one a flush. */
function aLogOfFlushes(): LogEntry[] {
  const request = { sector: 0, isDurable: false, isDiscard: false };
  return Array.from({ length: 20 }, (_, at) => {
    const data = Buffer.alloc(at % 2 === 0 ? sectorBytes : 0);
    return { ...request, data, bytes: data.length, isFlush: at % 2 === 1 };
  });
}

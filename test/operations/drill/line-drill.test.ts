import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LineDrill } from '../../../src/operations/drill/line-drill.ts';
import type { LineFigures, LineResult } from '../../../src/platform/drill.ts';
import type { Log } from '../../../src/runtime/log.ts';
import { HandClock } from '../../support/clock.ts';
import { until } from '../../support/until.ts';

const id = '0123456789abcdef';
const figures = (said: number, stored: number, confirmed: number): LineFigures => ({
  ...{ deviceId: 'FACE-T1_A0001', said, stored, confirmed },
});

/** A box with a line: what the drill has done to it, and what it says of its devices. */
async function aLine() {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-line-'));
  const clock = new HandClock();
  const results: LineResult[] = [];
  const box = { why: null as string | null, waiting: 0, figures: figures(10, 10, 10), others: [] as LineFigures[] };
  const drills: LineDrill[] = [];
  const open = async () => {
    const drill = await LineDrill.open({
      ...{ dataDir, clock, log: { error() {} } as unknown as Log },
      upstream: {
        cutLine: why => {
          box.why = why?.reason ?? null;
        },
        status: async () => ({ outbox: { waiting: box.waiting } }),
      },
      figures: async () => [...box.others, box.figures],
      keep: async result => void results.push(result),
    });
    drills.push(drill);
    return drill;
  };
  return {
    ...{ dataDir, clock, results, box, open },
    /** Lets time pass until the result is there. */
    async ended() {
      while (results.length === 0) await clock.advance(1000);
    },
    async [Symbol.asyncDispose]() {
      for (const drill of drills) await drill[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

test('the line is cut for its time, and everything said meanwhile is confirmed afterwards: passed', async () => {
  await using line = await aLine();
  const drill = await line.open();
  expect(await drill.begin(id, 10)).toBe(true);
  expect(await drill.begin('another', 10)).toBe(false);
  expect(line.box.why).toContain('a drill has cut the line');
  line.box.figures = figures(25, 25, 10);
  line.box.waiting = 15;
  await line.clock.advance(9 * 60_000);
  expect(await drill.report()).toMatchObject({ id, step: 'cut', waiting: 15 });
  await line.clock.advance(61_000);
  await until('the line is let go', () => line.box.why === null);
  expect(line.results).toEqual([]);
  Object.assign(line.box, { figures: figures(25, 25, 25), waiting: 0 });
  await line.ended();
  expect(line.results).toMatchObject([{ id, outcome: 'passed', waiting: 0, devices: [figures(15, 15, 15)] }]);
  await until('nothing is under way', async () => (await drill.report()) === null);
  expect(await readdir(join(line.dataDir, 'drill-line'))).toEqual([]);
});

test('a result names five hundred devices, those whose figures differ first, and counts the others', async () => {
  await using line = await aLine();
  const drill = await line.open();
  await drill.begin(id, 1);
  line.box.others = Array.from({ length: 600 }, (_, no) => ({ ...figures(2, 2, 2), deviceId: `FACE-T1_B${no}` }));
  line.box.figures = figures(12, 12, 11);
  drill.end();
  await line.ended();
  const [{ devices, unlisted }] = line.results as [LineResult];
  expect([devices.length, unlisted]).toEqual([500, 101]);
  expect(devices[0]).toEqual(figures(2, 2, 1));
});

test('somebody lets the line go before its time', async () => {
  await using line = await aLine();
  const drill = await line.open();
  await drill.begin(id, 60);
  drill.end();
  await until('the line is let go', () => line.box.why === null);
  await line.ended();
  expect(line.results).toMatchObject([{ outcome: 'silent', devices: [] }]);
});

test('what is not confirmed ten minutes later is named, and so is what was said and not stored', async () => {
  await using line = await aLine();
  const drill = await line.open();
  await drill.begin(id, 1);
  Object.assign(line.box, { figures: figures(20, 20, 12), waiting: 8 });
  await line.clock.advance(61_000);
  await line.clock.advance(9 * 60_000);
  expect(line.results).toEqual([]);
  await line.ended();
  expect(line.results).toMatchObject([{ outcome: 'failed', waiting: 8, devices: [figures(10, 10, 2)] }]);
});

test('a box that was restarted cuts the line for the rest of the time, and one that was off for longer not at all', async () => {
  await using line = await aLine();
  const first = await line.open();
  await first.begin(id, 10);
  await line.clock.advance(4 * 60_000);
  await first[Symbol.asyncDispose]();
  line.box.why = null;
  const second = await line.open();
  await until('it is cut again', () => line.box.why !== null);
  expect(await second.report()).toMatchObject({ id, step: 'cut' });
  await second[Symbol.asyncDispose]();
  line.box.why = null;
  line.clock.set(line.clock.now() + 20 * 60_000);
  line.box.figures = figures(11, 11, 11);
  await line.open();
  await line.ended();
  expect(line.box.why).toBeNull();
  expect(line.results).toMatchObject([{ outcome: 'passed', devices: [figures(1, 1, 1)] }]);
});

test('a clock that is set back does not make the cut longer', async () => {
  await using line = await aLine();
  const first = await line.open();
  await first.begin(id, 10);
  await first[Symbol.asyncDispose]();
  line.clock.set(line.clock.now() - 365 * 24 * 3600_000);
  line.box.why = null;
  await line.open();
  await until('it is cut again', () => line.box.why !== null);
  await line.clock.advance(10 * 60_000 + 1000);
  await until('the line is let go', () => line.box.why === null);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { cutsOfDrill, numbersBeforeCut } from '../../../src/platform/drill.ts';
import { DrilledCard, disk, drillId } from '../../support/drilled-card.ts';

const sector = 512;

/** What a card that lies does to a file: bytes that it had acknowledged are not there. */
async function forget(file: string, from: number, bytes: number): Promise<void> {
  await using handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(bytes), 0, bytes, from);
}

describe('the drill of the card', () => {
  test('passes after three power cuts at which nothing is missing, and says what the card allows', async () => {
    await using card = await DrilledCard.make();
    let drill = await card.open('boot 0');
    expect(await drill.begin(drillId)).toBe(true);
    let dataDir = card.dataDir;
    for (let cut = 1; cut <= cutsOfDrill; cut++) {
      const number = await card.counted(drill, 10 + cut);
      expect(await drill.report()).toMatchObject({ step: 'counting', cut, device: disk });
      dataDir = await card.cutPower(dataDir);
      drill = await card.open(`boot ${cut}`, dataDir);
      expect(await drill.report()).toMatchObject({ step: 'proving', cut });
      expect(await drill.seen({ id: drillId, cut, number })).toMatchObject({ cut, seen: number, missing: 0 });
    }
    expect(await drill.report()).toBeNull();
    const [result] = card.results;
    expect(result).toMatchObject({ id: drillId, outcome: 'passed', device: disk });
    expect(result!.cuts.map(({ cut, missing }) => [cut, missing])).toEqual([1, 2, 3].map(cut => [cut, 0]));
    expect(result!.speed).not.toBeNull();
    expect(result!.allows).toMatchObject({ bytesPerDay: 170_000_000, isMeasured: false, years: 100 });
  });

  test('tells to pull the plug when enough is written, and no longer after the cut', async () => {
    await using card = await DrilledCard.make();
    const drill = await card.open('boot 0');
    await drill.begin(drillId);
    await card.counted(drill, 20);
    expect(card.pulls).toBe(false);
    await card.counted(drill, numbersBeforeCut);
    expect(card.pulls).toBe(true);
    const after = await card.open('boot 1', await card.cutPower());
    expect(card.pulls).toBe(false);
    expect((await after.report())!.written).toBeGreaterThanOrEqual(numbersBeforeCut);
  });

  test('names a card that has lost the last number that was seen', async () => {
    await using card = await DrilledCard.make();
    const drill = await card.open('boot 0');
    await drill.begin(drillId);
    const number = await card.counted(drill, 30);
    const left = await card.cutPower();
    await forget(join(left, 'drill/cut-1/numbers'), (number - 2) * sector, 100 * sector);
    const after = await card.open('boot 1', left);
    expect(await after.seen({ id: drillId, cut: 1, number })).toMatchObject({ missing: 2, firstMissing: number - 1 });
    expect(card.results[0]).toMatchObject({ outcome: 'failed', device: disk, cuts: [{ seen: number, missing: 2 }] });
    expect(await after.report()).toBeNull();
  });

  test('names a card with a gap, even if a higher number was seen by nobody', async () => {
    await using card = await DrilledCard.make();
    const drill = await card.open('boot 0');
    await drill.begin(drillId);
    await card.counted(drill, 30);
    const left = await card.cutPower();
    await forget(join(left, 'drill/cut-1/numbers'), 11 * sector + 100, 7);
    const after = await card.open('boot 1', left);
    expect(await after.seen({ id: drillId, cut: 1, number: 5 })).toMatchObject({ missing: 1, firstMissing: 12 });
    expect(card.results[0]!.outcome).toBe('failed');
  });

  test('names a card that keeps what is appended and loses what is overwritten', async () => {
    await using card = await DrilledCard.make();
    const drill = await card.open('boot 0');
    await drill.begin(drillId);
    const number = await card.counted(drill, 30);
    const left = await card.cutPower();
    await forget(join(left, 'drill/cut-1/places'), (number % 8) * (512 << 10), sector);
    const after = await card.open('boot 1', left);
    expect(await after.seen({ id: drillId, cut: 1, number })).toMatchObject({ missing: 1, firstMissing: number });
  });

  test('names a card that has forgotten the whole drill, or its later cuts', async () => {
    await using card = await DrilledCard.make();
    const drill = await card.open('boot 0');
    await drill.begin(drillId);
    await card.counted(drill, 30);
    const left = await card.cutPower();
    const later = await card.open('boot 1', left);
    expect(await later.seen({ id: drillId, cut: 2, number: 40 })).toMatchObject({ cut: 2, found: 0, missing: 40 });
    expect(card.results[0]!.outcome).toBe('failed');
    card.results.length = 0;
    const empty = await card.open('boot 1', await card.cutPower(left));
    expect(await empty.report()).toBeNull();
    expect(await empty.seen({ id: drillId, cut: 1, number: 30 })).toMatchObject({ found: 0, missing: 30 });
    expect(card.results[0]).toMatchObject({ id: drillId, outcome: 'failed' });
  });

  test('a restart of the program, and a shutdown in order, are no power cuts: it goes on counting', async () => {
    await using card = await DrilledCard.make();
    const first = await card.open('boot 0');
    await first.begin(drillId);
    const number = await card.counted(first, 30);
    const killed = await card.open('boot 0', await card.cutPower());
    expect(await card.counted(killed, number + 5)).toBeGreaterThan(number);
    expect(await killed.seen({ id: drillId, cut: 1, number })).toBeNull();
    await first[Symbol.asyncDispose]();
    const shutDown = await card.open('boot 1');
    expect(await card.counted(shutDown, number + 5)).toBeGreaterThan(number);
  });

  test('one that nobody finishes in a day expires, says so, and leaves nothing behind', async () => {
    await using card = await DrilledCard.make();
    const drill = await card.open('boot 0');
    await drill.begin(drillId);
    await card.counted(drill, 3);
    card.clock.set(card.clock.now() + 25 * 3600_000);
    expect(await drill.report()).toBeNull();
    expect(card.results[0]).toMatchObject({ outcome: 'expired', id: drillId });
    expect(await (await card.open('boot 1')).report()).toBeNull();
  });

  test('only one runs at a time, and it can be stopped', async () => {
    await using card = await DrilledCard.make();
    const drill = await card.open('boot 0');
    expect(await Promise.all([drill.begin(drillId), drill.begin('fedcba9876543210')])).toEqual([true, false]);
    await drill.stop();
    expect(card.results.map(({ id, outcome }) => [id, outcome])).toEqual([[drillId, 'stopped']]);
    expect(await drill.begin('fedcba9876543210')).toBe(true);
  });

  test('numbers that a process has printed are on the disk after kill -9', async () => {
    await using card = await DrilledCard.make();
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('../../support/drill-child.ts', import.meta.url)), card.dataDir, drillId],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let seen = 0;
    for await (const line of createInterface(child.stdout!)) {
      seen = Number(line);
      if (seen === 40) child.kill('SIGKILL');
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    const drill = await card.open('second boot');
    expect(await drill.seen({ id: drillId, cut: 1, number: seen })).toMatchObject({ seen, missing: 0 });
  });
});

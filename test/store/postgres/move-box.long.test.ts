import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { databaseFile, type MoveStep } from '../../../src/store/index.ts';
import { contentsOfBox } from '../../support/moved-store.ts';
import { postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { anEmptyDatabase, aStoppedBox, logOf, move, openedRegion } from '../../support/stopped-box.ts';
import { append, aStore, registered } from '../../support/store.ts';

suiteWithPostgres('a move of a store that is cut', () => {
  const postgres = postgresOfFile();

  test.each([
    ['compared segment', 'box'],
    ['committed', 'box'],
    ['marked', 'neither'],
    ['ended', 'region'],
  ])('killed when it has %s, %s starts, and the next attempt ends it', async (stopAt, starts) => {
    await using box = await aStoppedBox();
    const before = contentsOfBox(box.dataDir);
    const { url } = anEmptyDatabase(await postgres());
    const child = fileURLToPath(new URL('../../support/move-child.ts', import.meta.url));
    const node = fileURLToPath(new URL('../../../bin/node', import.meta.url));
    const moving = spawn(node, [child, box.dataDir, url, stopAt], { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(moving, 'close');
    const said = await Promise.race([once(moving.stdout, 'data'), closed]);
    expect(String(said[0])).toBe('stopped\n');
    moving.kill('SIGKILL');
    await closed;
    const region = () => openedRegion(url, box.dataDir);
    if (stopAt === 'committed' || starts === 'neither')
      await expect(region()).rejects.toThrow('the store of a box was not moved to this database to its end: repeat');
    if (starts === 'box') {
      const started = await box.again();
      expect(await started.store.read.logs({ limit: 9 })).toHaveLength(5);
      await started.store[Symbol.asyncDispose]();
    } else await expect(box.again()).rejects.toThrow('this store was moved to');
    await move(box.dataDir, url);
    await expect(box.again()).rejects.toThrow('this store was moved to');
    await using goesOn = await region();
    expect(await goesOn.read.logs({ limit: 9 })).toHaveLength(5);
    if (starts !== 'box') expect(contentsOfBox(box.dataDir)).toEqual(before);
  });

  test('when the server of the database crashes, the box is as before, and the next attempt does it', async () => {
    await using box = await aStoppedBox();
    const { url, server } = anEmptyDatabase(await postgres());
    const crash = async (step: MoveStep) => {
      if (step.kind === 'compared' && step.table === 'employee') await server.crash();
    };
    await expect(move(box.dataDir, url, crash)).rejects.toThrow(/: the connection broke \(.*repeat the command/);
    expect((await move(box.dataDir, url)).tables).not.toBe(null);
    await using region = await openedRegion(url, box.dataDir);
    expect(region.journal.lastSeq).toBe(5);
  });

  test('an attempt that finds another one in its place leaves that alone', async () => {
    await using box = await aStoppedBox();
    await using second = await aStoppedBox();
    const { url } = anEmptyDatabase(await postgres());
    const other = async (step: MoveStep) => {
      if (step.kind === 'committed') await move(second.dataDir, url);
    };
    await expect(move(box.dataDir, url, other)).rejects.toThrow('holds another move by now');
    await using region = await openedRegion(url, second.dataDir);
    expect(region.journal.lastSeq).toBe(5);
  });

  test('a box that was killed is moved with what stands in its log alone, and no byte of it changes', async () => {
    await using running = await aStore();
    const { deviceNo } = await registered(running.store);
    await append(running.store, logOf(deviceNo, 'log 0'));
    const dataDir = `${running.dataDir}-killed`;
    await cp(running.dataDir, dataDir, { recursive: true, filter: path => !path.endsWith('.sock') });
    const files = [databaseFile(dataDir), `${databaseFile(dataDir)}-wal`];
    const bytes = () => Promise.all(files.map(file => readFile(file)));
    const before = await bytes();
    expect(before[1]!.length).toBeGreaterThan(0);
    const { url } = anEmptyDatabase(await postgres());
    await move(dataDir, url);
    expect((await bytes()).map((now, at) => now.equals(before[at]!))).toEqual([true, true]);
    await using region = await openedRegion(url, dataDir);
    expect(region.journal.lastSeq).toBe(1);
    await rm(dataDir, { recursive: true });
  });
});

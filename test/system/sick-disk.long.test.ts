import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { imageBlockBytes, loopDevice, makeExt4, mountExt4 } from '../power/ext4.ts';
import { extentsOf, type SectorRange, sectorsOf } from '../power/extents.ts';
import { FuseDisk } from '../power/fuse-disk.ts';
import { repair } from '../power/recover.ts';
import { sh } from '../power/sh.ts';
import { History, readTables, tableFaults } from '../support/history.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite } from '../support/site.ts';
import { suiteWhere } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { atWork, type Work } from '../support/work.ts';

const roomy = { limits: { log_per_second: 1000, log_per_day: 1_000_000 } };
const acknowledgedBy = (work: Work) => work.terminals.reduce((sum, one) => sum + one.acknowledged.length, 0);
const caOf = (box: BoxProcess) => readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8');

/** A box whose data are on an ext4 of a disk that a test makes sick. */
async function aBoxOnADisk() {
  await using parts = new AsyncDisposableStack();
  const scratch = await mkdtemp(join(tmpdir(), 'gatehouse-sick-'));
  parts.defer(() => rm(scratch, { recursive: true, force: true }));
  const image = join(scratch, 'image');
  await makeExt4(image, 128);
  const disk = parts.use(await FuseDisk.make({ image }));
  let mounted = await mountExt4(disk.file);
  parts.defer(() => mounted[Symbol.asyncDispose]());
  const box = parts.use(await BoxProcess.start(roomy, aSite(), {}, join(mounted.folder, 'data')));
  parts.defer(() => disk.setFaults({}));
  const owned = parts.move();
  /** Mounts it again, as a start of the machine does; returns the data directory. */
  const remount = async (how: { repair?: boolean } = {}): Promise<string> => {
    await mounted[Symbol.asyncDispose]();
    if (how.repair) {
      await using loop = await loopDevice(disk.file);
      await repair(loop.device);
    }
    mounted = await mountExt4(disk.file);
    await readNothingAhead(mounted.folder);
    return join(mounted.folder, 'data');
  };
  return { disk, box, image, remount, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

suiteWhere(FuseDisk.possible, FuseDisk.needs, 'a disk that is sick while the box works', () => {
  test('while a flush gets no answer nothing is acknowledged and the box answers questions; when the disk answers, it goes on without loss', async () => {
    using history = new History();
    await using site = await aBoxOnADisk();
    const { disk, box } = site;
    const work = atWork(box, await caOf(box), 4, { history });
    await until('it works', () => acknowledgedBy(work) > 40);
    disk.setFaults({ holdFlushes: true });
    await until('a flush waits', () => disk.isWaiting);
    // What was committed before the flush has come to the terminals when the box has answered.
    for (const _again of [1, 2]) expect(JSON.parse(await box.ask('status', '--json'))).toMatchObject({ running: true });
    const held = acknowledgedBy(work);
    // As long as a card that collects its garbage.
    await new Promise(resolve => setTimeout(resolve, 30_000));
    expect(acknowledgedBy(work)).toBe(held);
    expect(box.alive).toBe(true);
    disk.setFaults({});
    await until('it goes on', () => acknowledgedBy(work) > held + 40);
    await work.stop();
    expect(work.terminals.every(({ said }) => said.every(one => one.acknowledged))).toBe(true);
    await readTables(history, box);
    await history.expectSound(tableFaults);
  });

  test('a disk that fails every write is named, nothing is acknowledged on it, and after a start on a good disk nothing is lost', async () => {
    using history = new History();
    await using site = await aBoxOnADisk();
    const { disk, box } = site;
    const work = atWork(box, await caOf(box), 4, { history });
    await until('it works', () => acknowledgedBy(work) > 40);
    disk.setFaults({ errors: [{ on: 'write' }, { on: 'flush' }] });
    const said = await until('it says so', async () => {
      const { stdout, stderr } = await box.run('status');
      return /disk fails|cannot be written/.exec(stdout + stderr)?.[0];
    });
    expect(said).toBeTruthy();
    const held = acknowledgedBy(work);
    await new Promise(resolve => setTimeout(resolve, 3_000));
    expect(acknowledgedBy(work)).toBe(held);
    await box.kill9();
    disk.setFaults({});
    await using again = await BoxProcess.start(roomy, aSite(), {}, await site.remount());
    await readTables(history, again);
    await history.expectSound(tableFaults);
    await again.stop();
  });

  test('sectors that give an error when they are read cost what is in them and nothing else, while it works and at a start; it is said where staff look', async () => {
    using history = new History();
    await using site = await aBoxOnADisk();
    const { disk, box } = site;
    const ca = await caOf(box);
    const work = atWork(box, ca, 4, { history });
    await until('it works', () => acknowledgedBy(work) > 300);
    await work.stop();
    await box.stop();
    // In the middle of the journal, from which the tables have been filled.
    const dataDir = await site.remount();
    const lost = segmentPages(join(dataDir, 'gatehouse.db'));
    const extents = await extentsOf(join(dataDir, 'gatehouse.db'));
    disk.setFaults({ errors: lost.map(page => ({ on: 'read' as const, ...sectorsOf(extents, page) })) });
    await using again = await BoxProcess.start(roomy, aSite(), {}, await site.remount());
    const more = atWork(again, ca, 4, { from: 5, history });
    await until('devices are acknowledged', () => acknowledgedBy(more) > 100);
    await more.stop();
    await readTables(history, again);
    const ledger = JSON.parse(await again.ask('status', '--device', work.terminals[0]!.deviceId, '--json'));
    expect(ledger.known).toBe(true);
    const status = await again.ask('status');
    expect(status).toMatch(/^disk +CANNOT BE READ: .*records? of the journal.*Make a backup now and change the card/m);
    expect(status).not.toMatch(/NOTHING IS ACKNOWLEDGED/);
    const { stderr } = await again.run(
      'backup',
      join(again.folder, 'box.gh'),
      '--passphrase-file',
      await aPassphrase(again),
    );
    expect(stderr).toMatch(/the disk cannot be read in places .*ddrescue/);
    const { stdout } = await again.run('doctor');
    expect(stdout).toMatch(/the disk cannot be read in places.*the rest works/);
    // After the disk was copied to a good one, with nothing in the place of what was lost.
    await again.stop();
    disk.setFaults({});
    await using mended = await BoxProcess.start(roomy, aSite(), {}, await site.remount());
    await readTables(history, mended);
    await history.expectSound(tableFaults);
    await mended.stop();
  });

  test('a database file that cannot be written in places costs nothing: devices are acknowledged, the log keeps it, and it is said where staff look', async () => {
    using history = new History();
    await using site = await aBoxOnADisk();
    const { disk, box } = site;
    const work = atWork(box, await caOf(box), 4, { history });
    await until('it works', () => acknowledgedBy(work) > 300);
    const extents = await extentsOf(join(box.dataDir, 'gatehouse.db'));
    disk.setFaults({ errors: extents.map(({ fromSector, toSector }) => ({ on: 'write', fromSector, toSector })) });
    const said = await until(
      'it says so',
      async () => /^disk +(CANNOT BE WRITTEN in places .*)$/m.exec(await box.ask('status'))?.[1],
    );
    expect(said).toMatch(/Make a backup now and change the card/);
    expect((await box.run('doctor')).stdout).toContain('the disk cannot be written in places');
    const before = acknowledgedBy(work);
    await until('devices are acknowledged', () => acknowledgedBy(work) > before + 100);
    expect(JSON.parse(await box.ask('status', '--json')).disk).toMatchObject({ state: 'ok', unwritable: true });
    // With the power, and on a good disk afterwards.
    await box.kill9();
    disk.setFaults({});
    await using again = await BoxProcess.start(roomy, aSite(), {}, await site.remount());
    await readTables(history, again);
    await history.expectSound(tableFaults);
    await again.stop();
  });

  test('a file system that became read-only after an error in its own journal is named, nothing is acknowledged on it, the box answers, and after a repair nothing is lost', async () => {
    using history = new History();
    await using site = await aBoxOnADisk();
    const { disk, box } = site;
    const work = atWork(box, await caOf(box), 4, { history });
    await until('it works', () => acknowledgedBy(work) > 40);
    disk.setFaults({ errors: [{ on: 'write', ...(await journalSectors(site.image)) }] });
    const said = await until('it says so', async () => {
      const { disk: on } = JSON.parse(await box.ask('status', '--json'));
      return on.state === 'ok' ? null : on;
    });
    expect(said.why).toMatch(/start the machine again/);
    const held = acknowledgedBy(work);
    await new Promise(resolve => setTimeout(resolve, 3_000));
    expect(acknowledgedBy(work)).toBe(held);
    expect(box.alive).toBe(true);
    expect((await box.run('doctor')).stdout).toMatch(
      /nothing is accepted: .*to do: start the machine again, which repairs the file system/s,
    );
    // A start of the program alone does not help, and says so.
    await box.kill9();
    await expect(box.start()).rejects.toThrow(/read-only|cannot be written/);
    disk.setFaults({});
    await using again = await BoxProcess.start(roomy, aSite(), {}, await site.remount({ repair: true }));
    await readTables(history, again);
    await history.expectSound(tableFaults);
    await again.stop();
  });
});

/** A bad sector then costs a read of it, and not what the kernel would read along with it. */
async function readNothingAhead(folder: string): Promise<void> {
  await sh('blockdev', '--setra', '0', (await sh('findmnt', '-n', '-o', 'SOURCE', folder)).trim());
}

async function aPassphrase({ folder }: BoxProcess): Promise<string> {
  const file = join(folder, 'passphrase');
  await writeFile(file, 'five words of the test\n');
  return file;
}

/** The least that the kernel reads. */
const readBytes = 4096;

/**
 * Places of the database that hold nothing but segments of the journal, from its middle: a tenth
 * of them.
 */
function segmentPages(file: string): { offset: number; bytes: number }[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const pages = database
    .prepare("SELECT pageno, pgsize FROM dbstat WHERE name = 'segment' AND pagetype IN ('leaf', 'overflow')")
    .all() as { pageno: number; pgsize: number }[];
  database.close();
  const bytesOf = new Map<number, number>();
  for (const { pageno, pgsize } of pages) {
    const place = Math.floor(((pageno - 1) * pgsize) / readBytes);
    bytesOf.set(place, (bytesOf.get(place) ?? 0) + pgsize);
  }
  const places = [...bytesOf].filter(([, bytes]) => bytes === readBytes).map(([place]) => place);
  places.sort((a, b) => a - b);
  const middle = Math.floor(places.length / 2);
  return places
    .slice(middle, middle + Math.ceil(places.length / 10))
    .map(place => ({ offset: place * readBytes, bytes: readBytes }));
}

/** The journal of the file system itself. */
async function journalSectors(image: string): Promise<SectorRange> {
  const [first, last] = (await sh('debugfs', '-R', 'blocks <8>', image))
    .trim()
    .split(/\s+/)
    .map(Number)
    .sort((a, b) => a - b)
    .filter((_, at, all) => at === 0 || at === all.length - 1);
  const sectorsOfBlock = imageBlockBytes / 512;
  return { fromSector: first! * sectorsOfBlock, toSector: (last! + 1) * sectorsOfBlock };
}

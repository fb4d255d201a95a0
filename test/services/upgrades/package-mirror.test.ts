import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../src/runtime/log.ts';
import { PackageFailed, type PackageFault } from '../../../src/services/upgrades/package-failed.ts';
import { packageFile } from '../../../src/services/upgrades/package-file.ts';
import { type MirrorParts, PackageMirror } from '../../../src/services/upgrades/package-mirror.ts';
import type { UpgradeRecord } from '../../../src/services/upgrades/record.ts';
import { HandClock, seededRandom } from '../../support/clock.ts';
import { SmallDisk } from '../../support/small-disk.ts';
import { until } from '../../support/until.ts';
import { openOverHttp, PackageServer } from './package-server.ts';

const random = seededRandom(7);
const bytes = Buffer.from(Array.from({ length: 400_000 }, () => Math.floor(random() * 256)));
const half = 200_000;
const sumOf = (kind: string, of: Buffer = bytes): string => createHash(kind).update(of).digest('hex');
const sha256 = sumOf('sha256');

async function aSite(parts: Partial<MirrorParts> = {}) {
  const folder = parts.folder ?? join(mkdtempSync(join(tmpdir(), 'gatehouse-packages-')), 'packages');
  const server = await PackageServer.of(bytes);
  const clock = new HandClock();
  const mirror = new PackageMirror({ open: openOverHttp, clock, log: silentLog, ...parts, folder });
  onTestFinished(async () => {
    await mirror[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    if (!parts.folder) rmSync(join(folder, '..'), { recursive: true });
  });
  const record: UpgradeRecord = {
    ...{ app_code: 'panel', version: '1.2.0', url: server.url },
    ...{ checksum: sha256, size: bytes.length },
  };
  const file = join(folder, `panel-1.2.0-${sha256}`);
  return { folder, server, clock, mirror, record, file, files: () => readdirSync(folder).sort() };
}

async function failure(promise: Promise<unknown>, fault: PackageFault): Promise<PackageFailed> {
  const error = await promise.then(
    () => null,
    caught => caught,
  );
  expect(error).toBeInstanceOf(PackageFailed);
  expect((error as PackageFailed).fault).toBe(fault);
  return error as PackageFailed;
}

describe('a package', () => {
  test('is there under a name of its own when it is whole', async () => {
    const { mirror, record, file, files } = await aSite();
    expect(await mirror.has(record)).toBe(false);
    expect(await mirror.mirror(record)).toEqual({ file, bytes: bytes.length, sha256 });
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(files()).toHaveLength(1);
    expect(await mirror.has(record)).toBe(true);
  });

  test.each([
    ['crc32', crc32(bytes).toString(16).padStart(8, '0')],
    ['md5', sumOf('md5')],
    ['sha1', sumOf('sha1')],
    ['sha256', sha256],
    ['MD5 in upper case', sumOf('md5').toUpperCase()],
  ])('is checked by %s', async (_, checksum) => {
    const { mirror, record, server } = await aSite();
    expect(await mirror.mirror({ ...record, checksum })).toMatchObject({ bytes: bytes.length, sha256 });
    server.bytes = Buffer.concat([bytes.subarray(1), bytes.subarray(0, 1)]);
    await failure(mirror.mirror({ ...record, version: '1.3', checksum }), 'wrong_checksum');
  });

  test('that is here is checked and not fetched again', async () => {
    const { mirror, record, server } = await aSite();
    await mirror.mirror(record);
    expect(await mirror.mirror(record)).toMatchObject({ sha256 });
    expect(server.asked).toEqual(['all']);
  });

  test('that was damaged on the disk is fetched again', async () => {
    const { mirror, record, server, file } = await aSite();
    await mirror.mirror(record);
    writeFileSync(file, Buffer.alloc(bytes.length));
    await mirror.mirror(record);
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(server.asked).toHaveLength(2);
    writeFileSync(file, 'short');
    expect(await mirror.has(record)).toBe(false);
  });

  test('asked for by many is fetched once', async () => {
    const { mirror, record, server } = await aSite();
    const answers = await Promise.all(Array.from({ length: 20 }, () => mirror.mirror(record)));
    expect(new Set(answers.map(answer => answer.file)).size).toBe(1);
    expect(server.asked).toEqual(['all']);
  });

  test('whose size nobody says is fetched to its end', async () => {
    const { mirror, record, server } = await aSite();
    server.announces = 'nothing';
    expect(await mirror.mirror({ ...record, size: undefined })).toMatchObject({ bytes: bytes.length, sha256 });
  });
});

describe('a line that breaks', () => {
  test('leaves a part, and the next try goes on there', async () => {
    const { mirror, record, server, file, files } = await aSite();
    server.cutAt = half;
    const { facts, cause } = await failure(mirror.mirror(record), 'interrupted');
    expect(facts).toMatchObject({ record: 'panel 1.2.0', expected: `${bytes.length}` });
    expect(cause).toBeInstanceOf(Error);
    expect(files()).toEqual([`panel-1.2.0-${sha256}.part`]);
    const kept = readFileSync(`${file}.part`).length;
    expect(facts.found).toBe(String(kept));
    server.cutAt = null;
    expect(await mirror.mirror(record)).toEqual({ file, bytes: bytes.length, sha256 });
    expect(server.asked).toEqual(['all', kept > 0 ? `bytes=${kept}-` : 'all']);
    expect(files()).toEqual([`panel-1.2.0-${sha256}`]);
  });

  test('again and again ends with the whole package', async () => {
    const { mirror, record, server, file } = await aSite();
    for (const cutAt of [1, 100_000, 100_001, 300_000, bytes.length - 1]) {
      server.cutAt = cutAt;
      await failure(mirror.mirror(record), 'interrupted');
    }
    server.cutAt = null;
    await mirror.mirror(record);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  test('by going silent is given up after a minute', async () => {
    const { mirror, record, server, clock, file } = await aSite();
    server.stallAt = half;
    const fetched = failure(mirror.mirror(record), 'interrupted');
    await until('the first half is written', () => clock.sleeping > 0 && sizeOf(`${file}.part`) === half);
    await clock.advance(60_000);
    expect(String((await fetched).cause)).toContain('no byte for 60000 ms');
    expect(clock.sleeping).toBe(0);
  });

  test('because the box stops keeps the part', async () => {
    const { mirror, record, server, file } = await aSite();
    server.stallAt = half;
    const fetched = failure(mirror.mirror(record), 'interrupted');
    await until('the first half is written', () => sizeOf(`${file}.part`) === half);
    await mirror[Symbol.asyncDispose]();
    expect(String((await fetched).cause)).toContain('the box is stopping');
    expect(sizeOf(`${file}.part`)).toBe(half);
  });

  test('is not there at all', async () => {
    const { mirror, record, server } = await aSite();
    await server[Symbol.asyncDispose]();
    await failure(mirror.mirror(record), 'interrupted');
  });

  const sizeOf = (path: string): number => {
    try {
      return readFileSync(path).length;
    } catch {
      return 0;
    }
  };
});

describe('a box that was killed', () => {
  async function killedWith(part: Buffer, parts: Partial<MirrorParts> = {}) {
    const site = await aSite({ folder: mkdtempSync(join(tmpdir(), 'gatehouse-packages-')), ...parts });
    onTestFinished(() => rmSync(site.folder, { recursive: true }));
    writeFileSync(`${site.file}.part`, part);
    return site;
  }

  test('goes on with the part that it left', async () => {
    const { mirror, record, server, file } = await killedWith(bytes.subarray(0, half));
    await mirror.mirror(record);
    expect(server.asked).toEqual([`bytes=${half}-`]);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  test('needs nothing more when only the name was missing', async () => {
    const { mirror, record, server, file } = await killedWith(bytes);
    await mirror.mirror(record);
    expect(server.asked).toEqual([]);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  test('and does not know the size hears from the server that nothing is missing', async () => {
    const { mirror, record, server, file } = await killedWith(bytes);
    await mirror.mirror({ ...record, size: undefined });
    expect(server.asked).toEqual([`bytes=${bytes.length}-`]);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  test('fetches the whole package when the power cut left zeros', async () => {
    const { mirror, record, server, file } = await killedWith(Buffer.alloc(half));
    await mirror.mirror(record);
    expect(server.asked).toEqual([`bytes=${half}-`, 'all']);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  test('starts over when the part is longer than the package', async () => {
    const { mirror, record, server, file } = await killedWith(Buffer.alloc(bytes.length + 1));
    await mirror.mirror(record);
    expect(server.asked).toEqual(['all']);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  test('starts over where nothing is behind the part', async () => {
    const { mirror, record, server, file } = await killedWith(Buffer.alloc(bytes.length + 1));
    await mirror.mirror({ ...record, size: undefined });
    expect(server.asked).toEqual([`bytes=${bytes.length + 1}-`, 'all']);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  test('starts over where the server knows no ranges', async () => {
    const { mirror, record, server, file } = await killedWith(bytes.subarray(0, half));
    server.ranges = false;
    await mirror.mirror(record);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  test('needs room only for what is missing', async () => {
    const { mirror, record } = await killedWith(bytes.subarray(0, half), { roomBytes: () => bytes.length - half });
    expect(await mirror.mirror(record)).toMatchObject({ sha256 });
  });
});

describe('a package that is not the one of the record', () => {
  test('by its checksum is deleted, and both are named', async () => {
    const { mirror, record, server, files } = await aSite();
    server.bytes = Buffer.alloc(bytes.length);
    const { message, facts } = await failure(mirror.mirror(record), 'wrong_checksum');
    expect(facts).toEqual({ record: 'panel 1.2.0', expected: sha256, found: sumOf('sha256', server.bytes) });
    expect(message).toContain(`expected ${sha256}, found ${facts.found}`);
    expect(files()).toEqual([]);
  });

  test.each([-1, 1])('by its size (%i) is not even fetched', async difference => {
    const { mirror, record, files } = await aSite();
    const { facts } = await failure(mirror.mirror({ ...record, size: bytes.length + difference }), 'wrong_size');
    expect(facts).toMatchObject({ expected: String(bytes.length + difference), found: String(bytes.length) });
    expect(files()).toEqual([]);
  });

  test.each([-1, 1])('by a size (%i) that the server does not say is deleted', async difference => {
    const { mirror, record, server, files } = await aSite();
    server.announces = 'nothing';
    await failure(mirror.mirror({ ...record, size: bytes.length + difference }), 'wrong_size');
    expect(files()).toEqual([]);
  });

  test('is not the fault of the server that has none', async () => {
    const { mirror, record, server } = await aSite();
    server.status = 404;
    expect((await failure(mirror.mirror(record), 'unavailable')).facts.found).toBe('404');
  });
});

describe('refused before it starts', () => {
  test('is a package over the bound, by the record or by the server', async () => {
    const { mirror, record, server, files } = await aSite({ bytesMax: bytes.length - 1 });
    await failure(mirror.mirror(record), 'too_large');
    expect(server.asked).toEqual([]);
    await failure(mirror.mirror({ ...record, size: undefined }), 'too_large');
    server.announces = 'nothing';
    await failure(mirror.mirror({ ...record, size: undefined }), 'too_large');
    expect(files()).toEqual([]);
  });

  test('is a package without room, by the record or by the server', async () => {
    const { mirror, record, server, files } = await aSite({ roomBytes: async () => 1000 });
    const { facts } = await failure(mirror.mirror(record), 'no_room');
    expect(facts).toMatchObject({ expected: String(bytes.length), found: '1000' });
    expect(server.asked).toEqual([]);
    await failure(mirror.mirror({ ...record, size: undefined }), 'no_room');
    expect(files()).toEqual([]);
  });

  test.each([
    { checksum: undefined },
    { checksum: '' },
    { checksum: 'abc' },
    { checksum: 'z'.repeat(64) },
    { url: 'file:///etc/passwd' },
    { url: 'panel.apk' },
  ])('is a record with %j', async wrong => {
    const { mirror, record, server } = await aSite();
    await failure(mirror.mirror({ ...record, ...wrong }), 'bad_record');
    expect(await mirror.has({ ...record, ...wrong })).toBe(false);
    expect(server.asked).toEqual([]);
  });
});

test.runIf(SmallDisk.possible)('a disk that fills up meanwhile gets its room back', async () => {
  using disk = new SmallDisk(1);
  const { mirror, record, server, files } = await aSite({ folder: disk.folder });
  server.bytes = Buffer.alloc(2_000_000);
  const large = { ...record, size: server.bytes.length };
  const { cause } = await failure(mirror.mirror(large), 'no_room');
  expect(cause).toMatchObject({ code: 'ENOSPC' });
  expect(files()).toEqual([]);
});

describe('sweeping', () => {
  test('removes packages and parts that no record names, and nothing else', async () => {
    const { mirror, record, folder, files } = await aSite();
    await mirror.mirror(record);
    await mirror.mirror({ ...record, version: '1.3' });
    for (const name of [
      `panel-1.4-${sha256}.part`,
      `panel-1.2.0-${sha256}.part`,
      'notes.txt',
      `panel-${'a'.repeat(9)}`,
    ]) {
      writeFileSync(join(folder, name), '');
    }
    expect([...(await mirror.sweep([record]))].sort()).toEqual([`panel-1.3-${sha256}`, `panel-1.4-${sha256}.part`]);
    expect(files()).toEqual(
      ['notes.txt', `panel-${'a'.repeat(9)}`, `panel-1.2.0-${sha256}`, `panel-1.2.0-${sha256}.part`].sort(),
    );
    expect(await mirror.sweep([record])).toEqual([]);
  });

  test('leaves what is being fetched', async () => {
    const { mirror, record, server, files } = await aSite();
    server.stallAt = half;
    const fetched = failure(mirror.mirror(record), 'interrupted');
    await until('it is being fetched', () => files().length > 0);
    expect(await mirror.sweep([])).toEqual([]);
    await mirror[Symbol.asyncDispose]();
    await fetched;
    expect(await mirror.sweep([])).toEqual([`panel-1.2.0-${sha256}.part`]);
  });

  test('a folder that is not there is swept', async () => {
    const { mirror } = await aSite();
    expect(await mirror.sweep([])).toEqual([]);
  });
});

test.each([
  ['../../etc/passwd', '1', '_._.._etc_passwd-1'],
  ['.hidden', '..', '_hidden-_.'],
  ['-rf', '1/2', '_rf-1_2'],
  ['面板', '1\t', '__-1_'],
  ['', '', '_-_'],
])('the file of app %s, version %s stays in its folder', (app_code, version, name) => {
  expect(packageFile({ app_code, version, checksum: 'ABCDEF12' })).toBe(`${name}-abcdef12`);
});

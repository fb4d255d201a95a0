import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BoxBackups } from '../../src/backups/index.ts';
import type { FilePlace } from '../../src/runtime/file-place.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { checkBackup } from '../../src/store/index.ts';
import { recovery } from '../support/backups.ts';
import { HandClock } from '../support/clock.ts';
import { aGateway, anHttpDevice, ask, type Gateway } from '../support/gateway.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import { ScheduledBackups } from '../support/scheduled-backups.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { aProduct, applied, aStore } from '../support/store.ts';
import { suiteWhere } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { anUplink } from '../support/uplink.ts';

const boxId = 'GATEHOUSE_000001';
const nameOf = (minute: number) => `gatehouse-0a1b2c3d-2026-11-23T02${String(minute).padStart(2, '0')}00Z.gh`;
const sha256 = (bytes: string) => createHash('sha256').update(bytes).digest('hex');
const bytesOf = async function* (text: string) {
  yield Buffer.from(text);
};
const folderAbove = ({ opened }: Pick<Gateway, 'opened'>) => join(opened.dataDir, 'backups-of-boxes', boxId);
const namesAbove = (above: Pick<Gateway, 'opened'>) => readdir(folderAbove(above)).catch(() => []);

/** Passes calls on, until it is told to cut uploads after so many bytes. */
async function aWay(to: string) {
  let cutAfter = Number.POSITIVE_INFINITY;
  const server = createServer((incoming, answer) => {
    const { method, headers, url } = incoming;
    const onwards = request(`${to}${url}`, { method, headers, agent: false });
    onwards.on('response', response => {
      answer.writeHead(response.statusCode!, response.headers);
      response.pipe(answer);
    });
    onwards.on('error', () => incoming.socket.destroy());
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (method !== 'PUT' || bytes <= cutAfter) return;
      onwards.destroy();
      incoming.socket.destroy();
    });
    incoming.pipe(onwards);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: (bytes: number) => {
      cutAfter = bytes;
    },
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A box above that lists the one below, its line, and backups by schedule to the box above. */
async function aChain(options: Parameters<typeof aGateway>[0] = {}) {
  await using parts = new AsyncDisposableStack();
  const clock = hurriedClock(20);
  const above = parts.use(
    await aGateway({
      products: [aProduct(), aProduct({ product_id: 'GATEHOUSE', product_key: 'box-key' })],
      clock: clock as never,
      ...options,
    } as never),
  );
  await applied(above.store, { boxes: [{ box_id: boxId }] });
  const way = parts.use(await aWay(above.httpUrl));
  const line = parts.use(await anUplink({ mode: 'batch', deviceHttp: way.url }, { clock }));
  const below = parts.use(await ScheduledBackups.open(() => ({ above: {} }), line.upstream.backupsAbove));
  const isUp = async () => (await line.upstream.status()).uplink.state === 'up';
  await until('the line is up', isUp);
  const owned = parts.move();
  return { above, line, way, below, isUp, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test('a backup goes up by the session of the line, is read back and restored, and only the recovery key opens it there', async () => {
  await using chain = await aChain();
  const { above, below, line } = chain;
  const before = (await line.upstream.status()).uplink.since;
  const { targets } = await below.runNow();
  expect(targets).toMatchObject([
    { name: 'above', failure: null, drill: { why: '' }, copies: [{ verifiedAt: expect.any(Number) }] },
  ]);
  const [copy] = targets[0]!.copies;
  expect((await namesAbove(above)).sort()).toEqual([copy!.name, `${copy!.name}.json`]);
  const file = join(folderAbove(above), copy!.name);
  expect(
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
  ).toBe(copy!.sha256);
  const check = { file, folder: below.folder, dataDir: above.opened.dataDir };
  await expect(checkBackup({ ...check })).rejects.toThrow(/key/);
  expect(await checkBackup({ ...check, key: recovery.key })).toMatchObject({ environment: 'test' });
  expect((await line.upstream.status()).uplink).toMatchObject({ state: 'up', since: before });
});

test('an upload that is cut in the middle leaves nothing above, what was there stays, and the next run is whole', async () => {
  await using chain = await aChain();
  const { above, below, way } = chain;
  const [first] = (await below.runNow()).targets[0]!.copies;
  way.cut(20_000);
  await below.clock.advance(60_000);
  expect((await below.runNow()).targets[0]!.failure).toMatchObject({ code: 'above_unreachable' });
  await until('the part is gone', async () => (await namesAbove(above)).every(name => !name.endsWith('.part')));
  expect((await namesAbove(above)).sort()).toEqual([first!.name, `${first!.name}.json`]);
  way.cut(Number.POSITIVE_INFINITY);
  await until('the line is up again', chain.isUp);
  expect(await below.backups.tryTarget('above')).toBeNull();
  await below.clock.advance(60_000);
  const { targets } = await below.runNow();
  expect(targets[0]).toMatchObject({ failure: null });
  expect(await namesAbove(above)).toHaveLength(4);
});

test('the box above keeps the newest copies, and the box below forgets those that went', async () => {
  await using opened = await aStore();
  const backupsBelow = new BoxBackups({
    ...{ place: { folder: opened.dataDir, process: null }, clock: new HandClock(), log: silentLog },
    ...{ copiesMax: 2, bytesMax: 1 << 30 },
  });
  await using chain = await aChain({ opened, backupsBelow });
  for (let run = 0; run < 3; run++) {
    expect((await chain.below.runNow()).targets[0]).toMatchObject({ failure: null });
    await chain.below.clock.advance(60_000);
  }
  const { copies } = (await chain.below.backups.report()).targets[0]!;
  expect(copies).toHaveLength(2);
  const kept = copies.flatMap(({ name }) => [name, `${name}.json`]);
  expect((await namesAbove(chain.above)).sort()).toEqual(kept.sort());
});

test('without a Gatehouse above, or with the line down, a run says so', async () => {
  await using alone = await ScheduledBackups.open(() => ({ above: {} }));
  expect((await alone.runNow()).targets[0]!.failure).toMatchObject({
    code: 'no_box_above',
    why: expect.stringContaining('set upstream.mode: batch'),
  });
  await using line = await anUplink({ mode: 'batch', deviceHttp: 'http://127.0.0.1:9' }, { clock: hurriedClock(200) });
  await using below = await ScheduledBackups.open(() => ({ above: {} }), line.upstream.backupsAbove);
  expect(await below.backups.tryTarget('above')).toMatchObject({ code: 'above_unreachable' });
  expect((await below.runNow()).targets[0]!.failure).toMatchObject({
    code: 'above_unreachable',
    why: expect.stringContaining('cannot be reached'),
  });
});

test('only a box that is listed has a folder above, its own alone, and no name leads out of it', async () => {
  await using chain = await aChain();
  const { above } = chain;
  await applied(above.store, { boxes: [{ box_id: 'GATEHOUSE_000002' }] });
  const body = 'a backup';
  const login = async (id: string, key: string) =>
    ({ Authorization: (await anHttpDevice(above, id, key)).authorization }) as Record<string, string>;
  const put = (id: string, name: string, headers: Record<string, string>) =>
    ask(`${above.httpUrl}/api/v1.0/backups/${id}/${name}`, {
      method: 'PUT',
      headers: { 'content-sha256': sha256(body), 'content-length': String(body.length), ...headers },
      body,
    });
  const second = await login('GATEHOUSE_000002', 'box-key');
  const stranger = await login('GATEHOUSE_000003', 'box-key');
  const terminal = await login('FACE-T1_A0001', aProduct().product_key);
  expect((await put('GATEHOUSE_000002', nameOf(0), second)).status).toBe(200);
  expect((await put(boxId, nameOf(0), second)).status).toBe(406);
  expect((await put(boxId, nameOf(0), {})).status).toBe(406);
  expect((await ask(`${above.httpUrl}/api/v1.0/backups/${boxId}`, { headers: second })).status).toBe(406);
  expect((await put('GATEHOUSE_000003', nameOf(0), stranger)).json).toMatchObject({
    code: 403,
    msg: expect.stringContaining('not listed'),
  });
  expect((await put('FACE-T1_A0001', nameOf(0), terminal)).status).toBe(403);
  for (const name of ['..%2F..%2Fgatehouse.db', 'gatehouse.db', `..%2F${boxId}%2F${nameOf(0)}`, '%00', 'x.gh.json']) {
    expect((await put('GATEHOUSE_000002', name, second)).status, name).toBe(400);
    const got = await ask(`${above.httpUrl}/api/v1.0/backups/GATEHOUSE_000002/${name}`, { headers: second });
    expect(got.status, name).toBe(404);
  }
  const folder = join(above.opened.dataDir, 'backups-of-boxes');
  expect(await readdir(folder)).toEqual(['GATEHOUSE_000002']);
  expect(await readdir(join(folder, 'GATEHOUSE_000002'))).toEqual([nameOf(0)]);
  const got = await ask(`${above.httpUrl}/api/v1.0/backups/GATEHOUSE_000002/${nameOf(0)}`, { headers: second });
  expect(got).toMatchObject({ status: 200, body });
});

/** What a box above keeps, in a folder of its own. */
async function keeping(change: Partial<ConstructorParameters<typeof BoxBackups>[0]> & { place: FilePlace }) {
  const clock = new HandClock();
  const kept = new BoxBackups({ clock, log: silentLog, copiesMax: 5, bytesMax: 1000, leaveBytes: 0, ...change });
  const take = (name: string, text: string, hash = sha256(text), bytes = text.length) =>
    kept.take(boxId as never, { name, bytes, sha256: hash }, bytesOf(text));
  const names = async () => (await kept.list(boxId as never)).map(({ name }) => name);
  return { kept, clock, take, names };
}

test('what does not arrive as it was announced is not kept', async () => {
  await using box = await ScheduledBackups.open(() => ({}));
  const { take, names } = await keeping({ place: { folder: box.folder, process: null } });
  expect(await take(nameOf(0), 'a backup', sha256('another'))).toMatchObject({ status: 422 });
  expect(await take(nameOf(0), 'a backup', sha256('a backup'), 9)).toMatchObject({ status: 422 });
  expect(await take(nameOf(0), 'a backup', 'no hash')).toMatchObject({ status: 400 });
  expect(await take(nameOf(0), '', sha256(''))).toMatchObject({ status: 400 });
  expect(await take(`${nameOf(0)}.json`, '{}')).toMatchObject({ status: 409 });
  expect(await names()).toEqual([]);
  expect(await readdir(join(box.folder, 'backups-of-boxes', boxId))).toEqual([]);
});

test('a box that sends a backup again to another process of a region does not spoil the first', async () => {
  await using box = await ScheduledBackups.open(() => ({}));
  const gate = Promise.withResolvers<void>();
  const text = 'a backup';
  const offered = { name: nameOf(0), bytes: text.length, sha256: sha256(text) };
  const [one, other] = await Promise.all(
    ['one', 'other'].map(process => keeping({ place: { folder: box.folder, process } })),
  );
  async function* hanging() {
    yield Buffer.from(text.slice(0, 3));
    await gate.promise;
    yield Buffer.from(text.slice(3));
  }
  const folder = join(box.folder, 'backups-of-boxes', boxId);
  const first = one!.kept.take(boxId as never, offered, hanging());
  await until('it comes in', async () => (await readdir(folder).catch(() => [])).length === 1);
  expect(await other!.take(nameOf(0), text)).toBeNull();
  gate.resolve();
  expect(await first).toBeNull();
  expect(await readdir(folder)).toEqual([nameOf(0)]);
  expect(await readFile(join(folder, nameOf(0)), 'utf8')).toBe(text);
});

test('bytes and numbers are bounded: the oldest go, the one that just came stays, and a larger one is refused', async () => {
  await using box = await ScheduledBackups.open(() => ({}));
  const { kept, take, names } = await keeping({ place: { folder: box.folder, process: null } });
  const folder = join(box.folder, 'backups-of-boxes', boxId);
  for (const minute of [0, 1, 2]) {
    expect(await take(nameOf(minute), String(minute).repeat(400))).toBeNull();
    await utimes(join(folder, nameOf(minute)), minute, minute);
  }
  expect(await names()).toEqual([nameOf(2), nameOf(1)]);
  expect(await take(nameOf(3), 'x'.repeat(1001))).toMatchObject({
    status: 413,
    why: expect.stringContaining('limits.box_backup_bytes'),
  });
  // A clock that was set back does not make the newest the oldest.
  await utimes(join(folder, nameOf(2)), 4e9, 4e9);
  expect(await take(nameOf(3), 'x'.repeat(900))).toBeNull();
  expect(await names()).toEqual([nameOf(3)]);
  expect(await kept.remove(boxId as never, nameOf(3))).toBe(true);
  expect(await kept.remove(boxId as never, nameOf(3))).toBe(false);
  const none = await keeping({ place: { folder: box.folder, process: null }, copiesMax: 0 });
  expect(await none.take(nameOf(4), 'x')).toMatchObject({
    status: 507,
    why: expect.stringMatching(/box_backup_copies/),
  });
});

test('one at a time is received from a box, and only so many in a day', async () => {
  await using box = await ScheduledBackups.open(() => ({}));
  const { kept, clock, take } = await keeping({ place: { folder: box.folder, process: null } });
  const asked = Promise.withResolvers<void>();
  const arriving = Promise.withResolvers<void>();
  const slow = kept.take(
    boxId as never,
    { name: nameOf(0), bytes: 1, sha256: sha256('x') },
    (async function* () {
      asked.resolve();
      await arriving.promise;
      yield Buffer.from('x');
    })(),
  );
  await asked.promise;
  expect(await take(nameOf(1), 'y')).toMatchObject({ status: 429 });
  arriving.resolve();
  expect(await slow).toBeNull();
  for (let upload = 1; upload < 24; upload++) expect(await take(nameOf(upload), 'y')).toBeNull();
  expect(await take(nameOf(30), 'y')).toMatchObject({ status: 429, why: 'more than 24 backups in a day' });
  await clock.advance(86_400_000);
  expect(await take(nameOf(30), 'y')).toBeNull();
});

test('what a power cut left of an upload goes with the next one', async () => {
  await using box = await ScheduledBackups.open(() => ({}));
  const { take, names } = await keeping({ place: { folder: box.folder, process: null } });
  const folder = join(box.folder, 'backups-of-boxes', boxId);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${nameOf(0)}.part`), 'half');
  expect(await names()).toEqual([]);
  expect(await take(nameOf(1), 'whole')).toBeNull();
  expect(await readdir(folder)).toEqual([nameOf(1)]);
});

suiteWhere(SmallDisk.possible, 'needs root: it mounts a small disk', 'on a disk of its own', () => {
  test('where the disk has no room nothing is written, and what is there stays', async () => {
    using disk = new SmallDisk(4);
    const text = 'x'.repeat(1 << 20);
    const roomy = await keeping({ place: { folder: disk.folder, process: null }, bytesMax: 1 << 30 });
    expect(await roomy.take(nameOf(0), text)).toBeNull();
    const reserved = await keeping({
      place: { folder: disk.folder, process: null },
      bytesMax: 1 << 30,
      leaveBytes: 3 << 20,
    });
    expect(await reserved.take(nameOf(1), text)).toMatchObject({
      status: 507,
      why: expect.stringMatching(/^the disk has no room: .* make room on the page Disk of this box$/),
    });
    // The records of the box take the room while a backup comes in.
    const filling = await keeping({
      place: { folder: disk.folder, process: null },
      bytesMax: 1 << 30,
      leaveBytes: -(1 << 30),
    });
    expect(await filling.take(nameOf(2), 'y'.repeat(8 << 20))).toMatchObject({
      status: 507,
      why: expect.stringContaining('ENOSPC'),
    });
    expect(await filling.names()).toEqual([nameOf(0)]);
    expect(await readdir(join(disk.folder, 'backups-of-boxes', boxId))).toEqual([nameOf(0)]);
  });
});

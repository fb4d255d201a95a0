import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { serverFaults } from '../../../src/store/postgres/server-faults.ts';
import { type Postgres, postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aDatabase, openedPostgresStore, postgresUrl } from '../../support/postgres-store.ts';
import { aProduct, append, applied, registered } from '../../support/store.ts';
import { until } from '../../support/until.ts';

const folder = new URL('../../../src/store/postgres/', import.meta.url);
const databaseOf = (url: string): string => /@\/(\w+)/.exec(url)![1]!;

/** Files of the store on PostgreSQL that import something, other than its type. */
const importing = (file: string): string[] =>
  readdirSync(folder)
    .filter(name =>
      new RegExp(`^import (?!type )[^;]* from './${file}'`, 'm').test(readFileSync(new URL(name, folder), 'utf8')),
    )
    .toSorted();

test('what makes a thread stand still for the server is there for the start, for the writer and the reader alone', () => {
  expect(importing('bridge.ts')).toEqual(['database.ts', 'open.ts']);
  expect(importing('database.ts')).toEqual(['open.ts', 'reader-thread.ts', 'writer-engine.ts']);
  const start = readFileSync(new URL('open.ts', folder), 'utf8');
  const [, afterwards = ''] = start.split('  bridge.close();\n');
  expect(afterwards).not.toBe('');
  const body = afterwards.slice(0, afterwards.indexOf('\n}\n')).replaceAll(/\/\/.*|\/\*\*.*/g, '');
  expect(body.match(/\b(?:bridge|connection)\b(?!\.seal|\.on)/g)).toBe(null);
});

/** Passes bytes on to the server, and none any more for connections of the name that it is told. */
const passing = String.raw`
  const { createServer, connect } = require('node:net');
  const { parentPort, workerData: { from, to } } = require('node:worker_threads');
  const known = [];
  const listener = createServer(near => {
    const far = connect(to);
    for (const end of [near, far]) end.on('error', () => {});
    near.once('data', start => {
      known.push({ name: /application_name\0([^\0]*)/.exec(start.toString('latin1'))?.[1], pair: [near, far] });
      far.write(start);
      near.pipe(far).pipe(near);
    });
  });
  listener.listen(from, () => parentPort.postMessage('ready'));
  parentPort.on('message', silent => {
    for (const { name, pair } of known) if (name === silent) for (const end of pair) end.unpipe().pause();
  });`;

/** In a thread of its own: a start stands still for the server. */
async function aSilencer({ folder: server, user }: Postgres) {
  const own = await mkdtemp(join(tmpdir(), 'gatehouse-silent-'));
  const socket = '.s.PGSQL.5432';
  const workerData = { from: join(own, socket), to: join(server, socket) };
  const worker = new Worker(passing, { eval: true, workerData });
  await once(worker, 'message');
  return {
    url: (database: string) => postgresUrl({ folder: own, user }, database),
    silence: (name: string) => worker.postMessage(name),
    async [Symbol.asyncDispose]() {
      await worker.terminate();
      await rm(own, { recursive: true, force: true });
    },
  };
}

suiteWithPostgres('the main thread of a process', () => {
  const postgres = postgresOfFile();

  test('has no connection that it would stand still for, and reads records, devices and counts all the same', async () => {
    const server = await postgres();
    const url = aDatabase(server);
    await using store = await openedPostgresStore(url);
    await using other = await openedPostgresStore(url);
    const blocking =
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'gatehouse'";
    expect(Number(server.run(databaseOf(url), blocking))).toBe(2); // the writers of the two
    await applied(store, { products: [aProduct()] });
    const { deviceNo, deviceId } = await registered(store);
    await append(store, {
      ...{ deviceNo, channel: 'log', receivedAt: 1_763_600_000_000, logPath: '', marks: {} },
      payload: Buffer.from('a'),
    });
    await until('the other has the device', () => other.directory.device(deviceId));
    await until('the other has the record', () => other.journal.lastSeq > 0);
    expect((await other.journal.tally(0 as never)).byDevice).toEqual(new Map([[deviceNo, 1]]));
    expect((await other.journal.read(0 as never, { bytesMax: 1 << 20 })).records).toHaveLength(1);
  });

  test('notices within seconds that the connection of its writer is gone without a word', async () => {
    const server = await postgres();
    await using silencer = await aSilencer(server);
    await using store = await openedPostgresStore(silencer.url(databaseOf(aDatabase(server))));
    silencer.silence('gatehouse');
    expect(await store.lost).toBe(serverFaults.broken.reason);
  });
});

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realClock } from '../../src/runtime/real-world.ts';
import { type MoveStep, moveToPostgres } from '../../src/store/index.ts';
import type { Postgres } from './postgres.ts';
import { openedPostgresStore, postgresUrl } from './postgres-store.ts';
import { aProduct, append, applied, aStore, registered } from './store.ts';

export const logOf = (deviceNo: number, text: string) =>
  ({
    ...{ deviceNo, channel: 'log', receivedAt: 1_763_600_000_000, logPath: 'FT1/A', marks: {} },
    payload: Buffer.from(text),
  }) as never;

/** A box that was filled and stopped: its data directory. */
export async function aStoppedBox(): Promise<
  { readonly dataDir: string; again(): ReturnType<typeof aStore> } & AsyncDisposable
> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-moved-'));
  const opened = await aStore({ dataDir });
  const { store } = opened;
  await applied(store, {
    products: [aProduct()],
    departments: [{ ext_id: 'd1', name: '生产' }],
    employees: [
      {
        ext_id: 'e1',
        name: '林小美',
        mobile: '13800000001',
        employee_num: '17',
        department: { ext_id: 'd1', title: 'T' },
      },
    ],
    boxes: [{ box_id: 'GATEHOUSE_000002' }],
  });
  const { deviceNo } = await registered(store);
  for (let n = 0; n < 5; n++) await append(store, logOf(deviceNo, `log ${n}`));
  await store.catchUp();
  await store[Symbol.asyncDispose]();
  return {
    dataDir,
    again: () => aStore({ dataDir }),
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }),
  };
}

export const move = (
  dataDir: string,
  url: string,
  tell: (step: MoveStep) => void | Promise<void> = () => {},
  dryRun = false,
) => moveToPostgres({ dataDir, url, dryRun, clock: realClock, tell });

export const keyOf = (dataDir: string) => join(dataDir, 'keys', 'seal.key');

/** An empty database. */
export function anEmptyDatabase(server: Postgres) {
  const name = server.create();
  return { server, name, url: postgresUrl(server, name) };
}

/** As a process of a region that was given the key of the box. */
export const openedRegion = async (url: string, dataDir: string) =>
  openedPostgresStore(url, { key: await readFile(keyOf(dataDir)) });

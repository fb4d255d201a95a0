import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { type BatchLine, LightBox } from '../../test/support/light-box.ts';
import type { Postgres } from '../../test/support/postgres.ts';
import { postgresUrl } from '../../test/support/postgres-store.ts';
import { processorSeconds, temporaryFolder } from '../machine.ts';
import { logRecord } from '../packets.ts';
import { product, type Server } from '../servers.ts';
import { startProcess } from './start-process.ts';
import { serverSeconds } from './stores.ts';

/** Boxes that send at the same time, each a batch after the other. */
const boxCount = 64;
const boxKey = 'bench-key-of-boxes';
const people = 100;
const warmUpMs = 2000;
/** A device may pull five times a second (`src/platform/limits.ts`). */
const pullRestMs = 250;

/** What boxes do with a region; each is measured by itself. */
export const regionCases = {
  lone: { name: 'a batch of one log', lines: 1, line: logLine },
  logs: { name: 'a batch of 100 logs', lines: 100, line: logLine },
  checkins: { name: 'a batch of 100 check-ins', lines: 100, line: checkinLine },
  pulls: { name: 'a pull that finds nothing', lines: 0, line: null },
} as const satisfies Record<string, { name: string; lines: number; line: LineOf | null }>;

export type RegionCase = keyof typeof regionCases;
type LineOf = (box: number, number: number) => BatchLine;

/** Of one line of a batch, or of one pull. */
export interface RegionMeasured {
  /** Until all is in the tables. */
  readonly perSecond: number;
  readonly nodeMicroseconds: number;
  readonly postgresMicroseconds: number;
  /** Of the write-ahead log. */
  readonly logBytes: number;
  /** By which the database grew. */
  readonly diskBytes: number;
}

/** Real processes of a region on a new database, under one kind of load. */
export async function measureProcesses(
  count: number,
  kind: RegionCase,
  postgres: Postgres,
  seconds: number,
): Promise<RegionMeasured> {
  await using parts = new AsyncDisposableStack();
  const folder = parts.use(await temporaryFolder());
  const database = postgres.create();
  const processes: Server[] = [];
  for (let number = 0; number < count; number++)
    processes.push(
      parts.use(await startProcess(postgresUrl(postgres, database), folder.path, number, { listen, site })),
    );
  const { lines, line } = regionCases[kind];
  const boxes = await Promise.all(
    Array.from({ length: boxCount }, async (_, index) => {
      const { dataDir, ports } = processes[index % count]!;
      const ca = await readFile(`${dataDir}/tls/ca.pem`, 'utf8');
      const identity = { deviceId: boxIdOf(index), key: boxKey };
      const box = new LightBox(identity, `https://127.0.0.1:${ports.https}`, ca);
      parts.defer(() => box.end());
      // The login, and the first batch, which brings the terminal.
      box.lines.push(logLine(index, 1));
      await box.send(1);
      return box;
    }),
  );
  const number = (statement: string) => Number(postgres.run(database, statement));
  const [readAcked, doOne] = line
    ? [
        () => boxes.reduce((sum, { acked }) => sum + acked, 0),
        (box: LightBox, index: number) => {
          for (let more = 0; more < lines; more++) box.lines.push(line(index, box.lines.length + 1));
          return box.send(lines);
        },
      ]
    : [
        () => boxes.reduce((sum, { pulls }) => sum + pulls, 0),
        async (box: LightBox) => {
          await box.pull();
          await wait(pullRestMs);
        },
      ];
  const cpu = () => ({
    node: processes.reduce((sum, { pid }) => sum + processorSeconds(pid), 0),
    postgres: serverSeconds(postgres.pid),
    log: number("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn"),
    disk: number('SELECT pg_database_size(current_database())'),
    acked: readAcked(),
    at: performance.now(),
  });
  let isOn = true;
  const work = Promise.all(
    boxes.map(async (box, index) => {
      while (isOn) await doOne(box, index);
    }),
  );
  await wait(warmUpMs);
  const before = cpu();
  await Promise.race([wait(seconds * 1000), work]);
  isOn = false;
  await work;
  const behind = 'SELECT (SELECT max(seq) FROM journal_head) - (SELECT seq FROM projection_cursor)';
  while (number(behind) > 0) await wait(50);
  const after = cpu();
  const done = after.acked - before.acked;
  return {
    perSecond: (done * 1000) / (after.at - before.at),
    nodeMicroseconds: ((after.node - before.node) * 1e6) / done,
    postgresMicroseconds: ((after.postgres - before.postgres) * 1e6) / done,
    logBytes: (after.log - before.log) / done,
    diskBytes: (after.disk - before.disk) / done,
  };
}

const listen = { mqtts: 'off', mqtt: 'off', https: '127.0.0.1:0', http: 'off', metrics: 'off' };

const boxIdOf = (index: number) => `GATEHOUSE_B${String(index).padStart(5, '0')}`;
const serialOf = (index: number) => `B${String(index).padStart(5, '0')}`;

const site = {
  products: [product, { product_id: 'GATEHOUSE', product_key: boxKey, name: 'Boxes below', access: 'http' }],
  boxes: Array.from({ length: boxCount }, (_, index) => ({ box_id: boxIdOf(index) })),
  departments: [{ ext_id: '0', name: 'Plant' }],
  employees: Array.from({ length: people }, (_, index) => ({
    ...{ ext_id: `p${index}`, name: `Person ${index}`, mobile: '13800000000', employee_num: String(1000 + index) },
    department: { ext_id: '0', title: '' },
  })),
};

function logLine(box: number, number: number): BatchLine {
  const { payload, numberAt } = logRecord(200);
  payload.write(String(number).padStart(10, '0'), numberAt);
  const device_id = `${product.product_id}_${serialOf(box)}`;
  const topic = `log/${product.model}/${serialOf(box)}`;
  return { device_id, channel: 'log', topic, received_at: Date.now(), payload: payload.toString() };
}

function checkinLine(box: number, number: number): BatchLine {
  const device_id = `${product.product_id}_${serialOf(box)}`;
  const time = 1_763_600_000 + number;
  const record = { id: `r${number}`, ext_id: `p${number % people}`, check_type: 'fa', check_time: time };
  const envelope = {
    mid: `m${number}`,
    from: device_id,
    to: 'system',
    time,
    action: 2001,
    data: { records: [record] },
  };
  return {
    ...{ device_id, channel: 'device', topic: 'device', received_at: Date.now() },
    payload: JSON.stringify(envelope),
  };
}

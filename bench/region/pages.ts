import { checkInData } from '../../src/platform/check-data.ts';
import { fillCheckIns, filledFrom } from '../../test/support/many-checkins.ts';
import { Postgres } from '../../test/support/postgres.ts';
import { postgresUrl } from '../../test/support/postgres-store.ts';
import { temporaryFolder } from '../machine.ts';
import { type Measured, measurePages } from '../measure.ts';
import { median, type Row, ratios, spread } from '../report.ts';
import { of, type Pace } from '../rounds.ts';
import { product, type Server, startBox } from '../servers.ts';

const pageSize = 500;
const people = 3000;
const caller = { app_key: 'bench-payroll', app_secret: 'bench-secret', name: 'Payroll' };
const site = { products: [product], attendance_callers: [caller] };

/**
 * A page of check-ins over the signed API at random places, from a process of a region on
 * PostgreSQL and from a box on SQLite, with the same check-ins.
 */
export async function regionPages(pace: Pace): Promise<Row[]> {
  const checkIns = Math.floor(pace.rows / 2);
  const name = `a page of ${pageSize} of ${checkIns.toLocaleString('en-US')} check-ins`;
  pace.note(`${name}, from PostgreSQL and from SQLite`);
  await using parts = new AsyncDisposableStack();
  const folder = parts.use(await temporaryFolder());
  const postgres = parts.use(await Postgres.start());
  const database = postgres.create();
  const listen = { mqtts: 'off', mqtt: 'off', https: '127.0.0.1:0', http: 'off', metrics: 'off' };
  const url = postgresUrl(postgres, database);
  const startRegion = () =>
    startBox({ site, dataDir: `${folder.path}/region`, config: { store: { engine: 'postgres', url }, listen } });
  const startSingle = () => startBox({ site, dataDir: `${folder.path}/box`, endBy: 'SIGTERM' });
  // Each makes its tables.
  for (const start of [startRegion, startSingle]) await (await start())[Symbol.asyncDispose]();
  pace.note('  filling both');
  postgres.run(database, fillOf(checkIns));
  fillCheckIns(`${folder.path}/box`, checkIns, { people });
  const take = async (start: () => Promise<Server>) => {
    await using server = await start();
    const { app_key: appKey, app_secret: appSecret } = caller;
    return await measurePages(server, {
      appKey,
      appSecret,
      checkIns,
      pageSize,
      seconds: pace.seconds,
      warmUpSeconds: 2,
    });
  };
  const [region, single]: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round < pace.rounds; round++) {
    region.push(await take(startRegion));
    single.push(await take(startSingle));
    pace.note(
      `  round ${round + 1}: p50 ${region.at(-1)!.p50Ms.toFixed(1)} ms beside ${single.at(-1)!.p50Ms.toFixed(1)} ms`,
    );
  }
  const [own, beside] = [of(region, 'p50Ms'), of(single, 'p50Ms')];
  return [
    {
      what: `${name}, from PostgreSQL, p50 ms`,
      own: spread(own, 1),
      peer: 'a box on SQLite',
      beside: spread(beside, 1),
      ratio: spread(ratios(own, beside), 1),
      bar: 'at most 8.3 ms',
      met: median(own) <= 8.3,
      why: `one page after the other at random places over a kept connection, the whole request; p99 ${spread(of(region, 'p99Ms'), 1)} ms beside ${spread(of(single, 'p99Ms'), 1)} ms`,
    },
  ];
}

/** What `fillCheckIns` puts into SQLite. */
function fillOf(checkIns: number): string {
  const person = { employeeNum: 'NUMBER', name: '员工 NO', departmentId: '1', departmentName: 'Plant' };
  const data = JSON.stringify(checkInData('fa', {}, { deviceName: 'North gate', serialNumber: 'A0001', person }));
  const no = `(1 + i % ${people})`;
  const number = (text: string) => `lpad((${text})::text, 6, '0')`;
  return `BEGIN;
INSERT INTO employee (id, ext_id, name, employee_num, department_id, title, search_keys)
  SELECT i, 'e' || i, '员工 ' || i, ${number('i')}, 1, '', '' FROM generate_series(1, ${people}) AS i;
INSERT INTO checkin (id, seq, device_no, received_at, record_id, employee_id, check_type, check_time_seconds, check_data)
  SELECT i, 0, 1, (${filledFrom} + i) * 1000, '', ${no}, 'fa', ${filledFrom} + i,
    replace(replace('${data}', 'NUMBER', ${number(no)}), 'NO', ${no}::text) FROM generate_series(1::bigint, ${checkIns}) AS i;
UPDATE counter SET value = ${checkIns} WHERE name = 'checkin';
INSERT INTO meta (key, value) VALUES ('checkins_since', '{"id":0,"at":${filledFrom * 1000}}')
  ON CONFLICT (key) DO UPDATE SET value = excluded.value;
COMMIT;
VACUUM ANALYZE;
CHECKPOINT;`;
}

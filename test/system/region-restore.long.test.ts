import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { archiving, pgbackrestFile } from '../../src/operations/region/backup-files.ts';
import { payroll } from '../support/attendance.ts';
import { backupCommands, restoreCommand } from '../support/backup-commands.ts';
import { History, readTables } from '../support/history.ts';
import { Postgres, suiteWithPostgres } from '../support/postgres.ts';
import type { BoxProcess } from '../support/program.ts';
import { RecordedPayroll } from '../support/recorded-payroll.ts';
import { aSite, deviceIds, productKey } from '../support/site.ts';
import { MqttTerminal } from '../support/terminal.ts';
import { suiteNeeding } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { WatchedProcesses } from '../support/watched-processes.ts';

/** A server whose log goes to pgBackRest, as `gatehouse region init` has it. */
const backedUp = (): Promise<Postgres> =>
  Postgres.start(folder => {
    const file = join(folder, 'pgbackrest.conf');
    writeFileSync(file, pgbackrestFile(join(folder, 'backups'), { database: join(folder, 'data'), socket: folder }));
    const env = {
      PGBACKREST_CONFIG: file,
      PGBACKREST_LOG_PATH: join(folder, 'log'),
      PGBACKREST_LOCK_PATH: join(folder, 'lock'),
    };
    return { settings: archiving, env };
  });

const statusOf = async (process: BoxProcess): Promise<{ readonly database: readonly { readonly reason: string }[] }> =>
  JSON.parse(await process.ask('status', '--json'));
const seenAt = ({ dataDir }: BoxProcess): number =>
  JSON.parse(readFileSync(join(dataDir, 'database-seen.json'), 'utf8')).at;
const isRestored =
  /^the database is as it was at 20\S+Z: it was restored, or a failover lost its newest commits; what was acknowledged from then until 20\S+Z is gone here, and the cloud may have more than this region$/;

/** Payroll is given what known people punched. */
const siteOfPayroll = aSite({
  attendance_callers: [payroll],
  departments: [{ ext_id: '0', name: 'Plant 4' }],
  employees: Array.from({ length: 40 }, (_, turn) => ({
    ...{ ext_id: `p${turn}`, name: `Name ${turn}`, mobile: '1', employee_num: `${turn}`, department: { ext_id: '0' } },
  })),
});

suiteNeeding('pgbackrest', 'pgbackrest', 'a region that is restored to a moment', () => {
  suiteWithPostgres('on PostgreSQL', () => {
    test('has what was acknowledged until then, says that the rest is gone, and goes on', async () => {
      using history = new History();
      await using postgres = await backedUp();
      for (const folder of ['log', 'lock']) postgres.shell(`mkdir -p '${join(postgres.folder, folder)}'`);
      for (const step of ['prepare', 'check'] as const) postgres.shell(backupCommands[step]);
      await using region = await WatchedProcesses.start(postgres, {
        ...{
          count: 2,
          site: siteOfPayroll,
          configOf: () => ({ listen: { mqtts: 'off', mqtt: '127.0.0.1:0' } }),
        },
      });
      const [first, second] = region.processes as [BoxProcess, BoxProcess];
      const [deviceId] = deviceIds(1) as [string];
      const device = new MqttTerminal({ deviceId, key: productKey }, `mqtt://127.0.0.1:${first.port('mqtt')}`).writesTo(
        history,
      );
      const says = async (count: number) => {
        for (let more = 0; more < count; more++)
          for (const channel of ['log', 'device'] as const) await device.say(channel);
      };
      const payrollSystem = await RecordedPayroll.at(first, history);
      await says(3);
      postgres.shell(backupCommands.full);
      // A moment is restored from a backup that ended in a second before.
      const backedUpAt = Date.now();
      await until('the second of the backup is over', () => seenAt(first) > backedUpAt + 1000);
      await says(3);
      const moment = postgres.run('postgres', 'SELECT clock_timestamp()').trim();
      history.write('staff', { op: 'moment', name: moment });
      await until('the moment is over', () => seenAt(first) > Date.parse(moment) + 1000);
      await says(3);
      await payrollSystem.pull();
      postgres.shell(backupCommands.incremental);
      const { since } = JSON.parse(
        postgres.run('postgres', `SELECT json_build_object('since', extract(epoch FROM clock_timestamp()) * 1000)`),
      );
      await until('both have seen more', () => seenAt(first) > since && seenAt(second) > since);
      // What the archive has at the latest after `archive_timeout`.
      postgres.run('postgres', 'SELECT pg_switch_wal()');
      await region.restart(first, 'stop', () =>
        region.restart(second, 'stop', () => postgres.whileStopped(() => void postgres.shell(restoreCommand(moment)))),
      );
      for (const process of [first, second])
        expect(
          await until('it says so', async () =>
            (await statusOf(process)).database.find(({ reason }) => isRestored.test(reason)),
          ),
        ).toBeTruthy();
      expect(second.stderr).toContain(
        'the database is of an earlier state: it was restored, or a failover lost commits',
      );
      history.write('staff', { op: 'restored', to: moment });
      await readTables(history, first);
      await says(1);
      await readTables(history, second);
      await payrollSystem.level('box');
      await device.end();
      expect(device.said.at(-1)!.acknowledged).toBe(true);
      await history.expectSound([
        'a lost row',
        'two rows that changed places',
        'a gap in a page',
        'a row that a restore has undone',
      ]);
      const database = /@\/(\w+)/.exec(region.url)![1]!;
      const next = postgres.run(database, `SELECT value FROM counter WHERE name = 'checkin'`);
      expect(Number(next)).toBeGreaterThanOrEqual(100_000);
    });
  });
});

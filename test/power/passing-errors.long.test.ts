import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectAdmin } from '../../src/admin-client/index.ts';
import { suiteWhere } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { extentsOf } from './extents.ts';
import { isGood, said } from './findings.ts';
import { FuseDisk } from './fuse-disk.ts';
import { flood } from './load.ts';
import { cutScenario } from './power-record.ts';
import type { Scenario } from './scenario.ts';

const cuts = Number(process.env.CUTS ?? 60);
const seed = Number(process.env.SEED ?? 1);
const rounds = 12;
const roundsOfFile = 6;

/** Every write to a file fails, as far as it has blocks now. */
const errorsWhereIs = async (file: string) =>
  (await extentsOf(file)).map(({ fromSector, toSector }) => ({ on: 'write' as const, fromSector, toSector }));

/**
 * Writes to the write-ahead log fail now and then, for a moment. The kernel tells of a page that it
 * could not write once, and then takes it for written.
 */
const passingErrors: Scenario = {
  name: 'passing-errors',
  says: 'writes to the write-ahead log fail for a moment, again and again, and then succeed',
  async play(stage) {
    const box = await stage.box();
    const terminals = await stage.httpTerminals(box, 4);
    await using admin = (await connectAdmin(stage.dataDir))!;
    await flood(terminals, stage.notes, { inFlight: 1, records: 300 });
    const log = join(stage.dataDir, 'gatehouse.db-wal');
    stage.notes.begin();
    let works = true;
    const looks = async () => {
      while (works) await admin.get('/status');
    };
    const looking = looks();
    const acknowledged = () => terminals.reduce((sum, one) => sum + one.acknowledged.length, 0);
    const talking = flood(terminals, stage.notes, { inFlight: 1, goesOn: () => works });
    for (let round = 0; round < rounds; round++) {
      const before = acknowledged();
      await until('a commit failed', async () => {
        // Until the next checkpoint the log grows: what it has now fails.
        stage.disk.setFaults({ errors: await errorsWhereIs(log) });
        return (await admin.get('/status')).disk.state !== 'ok';
      });
      stage.disk.setFaults({});
      await until('it goes on', () => acknowledged() > before + 20);
    }
    const afterAll = acknowledged();
    await until('it goes on for a while', () => acknowledged() > afterAll + 200);
    works = false;
    await Promise.all([talking, looking]);
  },
};

/** The same of the database file, while somebody reads, so that checkpoints stop half-way. */
const passingErrorsOfFile: Scenario = {
  name: 'passing-errors-of-file',
  says: 'writes to the database file fail for a while, again and again, and then succeed',
  megabytes: 64,
  async play(stage) {
    const box = await stage.box();
    const terminals = await stage.httpTerminals(box, 4);
    await using admin = (await connectAdmin(stage.dataDir))!;
    await flood(terminals, stage.notes, { inFlight: 1, records: 300 });
    stage.notes.begin();
    let works = true;
    const looks = async () => {
      while (works) await admin.get('/status');
    };
    const looking = looks();
    const acknowledged = () => terminals.reduce((sum, one) => sum + one.acknowledged.length, 0);
    const talking = flood(terminals, stage.notes, { inFlight: 1, goesOn: () => works });
    for (let round = 0; round < roundsOfFile; round++) {
      const file = join(stage.dataDir, 'gatehouse.db');
      const errors = await errorsWhereIs(file);
      for (const faults of [{ errors }, {}]) {
        const before = acknowledged();
        stage.disk.setFaults(faults);
        await until('it goes on', () => acknowledged() > before + 350);
      }
    }
    works = false;
    await Promise.all([talking, looking]);
  },
};

suiteWhere(FuseDisk.possible, FuseDisk.needs, 'writes fail for a moment', () => {
  test.each([
    ['the write-ahead log', passingErrors],
    ['the database file', passingErrorsOfFile],
  ])('of %s: what is acknowledged afterwards outlives a cut of the power', async (_file, scenario) => {
    const { cuts: examined, acknowledged } = await cutScenario({ scenario, cuts, seed });
    expect(examined.filter(({ findings }) => !isGood(findings)).map(({ findings }) => said(findings))).toEqual([]);
    expect(acknowledged).toBeGreaterThan(100);
  });
});

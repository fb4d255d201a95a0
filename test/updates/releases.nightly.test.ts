import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fixtureOf, oldDevices, productKey, releasesWithFixture } from '../support/release-fixture.ts';
import type { Said } from '../support/terminal.ts';
import { suiteWhere } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { atWork, type Work } from '../support/work.ts';
import { byImage } from './releases/container-way.ts';
import { byApt, byBundle } from './releases/debian-ways.ts';
import { Made, present } from './releases/made.ts';
import type { UpdatedBox } from './releases/way.ts';

/**
 * The store and the config that each release has left are updated to the present and taken back, by
 * each way of docs/upgrade.md, while terminals work and the box is killed. A release is added by
 * its fixture alone (`npm run release-fixture`); its program is built at its tag.
 */

interface Row {
  readonly device_id: string;
  readonly ext_id: string;
  readonly text: string;
}

async function heldBy(box: UpdatedBox) {
  const rows = async (what: string): Promise<Row[]> => {
    const text = await box.ask('export', '--what', what, '--format', 'ndjson');
    return text
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line));
  };
  const all = { checkins: await rows('checkins'), logs: await rows('logs') };
  const ofOld = (row: Row) => oldDevices.includes(row.device_id);
  const site = parse(await box.ask('export', '--what', 'site'));
  return { all, old: { site, checkins: all.checkins.filter(ofOld), logs: all.logs.filter(ofOld) } };
}

const versionOf = async (box: UpdatedBox): Promise<string> => JSON.parse(await box.ask('status', '--json')).version;

async function everybodyWorks({ terminals }: Work): Promise<void> {
  const before = terminals.map(({ acknowledged }) => acknowledged.length);
  await until('everybody has something acknowledged', () =>
    terminals.every(({ acknowledged }, index) => acknowledged.length > before[index]! + 2),
  );
}

/** Kills a start that has opened the store, and begins to bring it up to date. */
async function killedAtItsStart(box: UpdatedBox): Promise<void> {
  const pid = await box.pid();
  const opened = () =>
    readdirSync(`/proc/${pid}/fd`).some(fd => readlinkSync(`/proc/${pid}/fd/${fd}`).endsWith('/gatehouse.db'));
  await until('the store is open', opened);
  process.kill(pid, 'SIGKILL');
  await until('the killed process is gone', () => !existsSync(`/proc/${pid}`));
}

const mids = (said: readonly Said[], channel: Said['channel']) =>
  said.filter(one => one.channel === channel).map(({ mid }) => mid);

const possible = process.getuid?.() === 0 && process.arch === 'x64';

describe.each(releasesWithFixture())('release %s', release => {
  let made: Made;
  beforeAll(async () => {
    made = await Made.of(release);
  });
  afterAll(() => made?.[Symbol.dispose]());

  for (const { name, missing, open } of [byApt, byBundle, byImage])
    suiteWhere(
      possible && missing.length === 0,
      missing.length > 0 ? `needs ${missing.join()}` : 'needs root, on x86_64',
      `by ${name}`,
      () => {
        test('under load and through kills it is updated and taken back, and has all that was acknowledged, once', async () => {
          await using box = await open(made, fixtureOf(release));
          const { old } = await heldBy(box);
          expect(old.checkins).toHaveLength(20 * oldDevices.length);
          expect(old.logs).toHaveLength(20 * oldDevices.length);
          expect(await versionOf(box)).toBe(release);
          const work = atWork(box, await box.ca(), 4, { key: productKey });
          await everybodyWorks(work);

          await box.update();
          await killedAtItsStart(box);
          await box.ready();
          expect(await versionOf(box)).toBe(present);
          await everybodyWorks(work);
          expect((await heldBy(box)).old).toMatchObject(old);

          await box.back();
          await box.ready();
          expect(await versionOf(box)).toBe(release);
          await everybodyWorks(work);
          await work.stop();

          const after = await heldBy(box);
          expect(after.old).toEqual(old);
          for (const { deviceId, said } of work.terminals) {
            const stored = after.all.checkins.filter(row => row.device_id === deviceId).map(row => row.ext_id);
            const spoken = said.filter(one => one.channel === 'device').map(one => JSON.parse(one.text));
            expect(said.every(one => one.acknowledged)).toBe(true);
            expect(stored, deviceId).toEqual(spoken.map(({ data }) => data.records[0].ext_id));
            const logged = new Set(
              after.all.logs.filter(row => row.device_id === deviceId).map(row => JSON.parse(row.text).log),
            );
            expect(mids(said, 'log').filter(mid => !logged.has(mid))).toEqual([]);
          }
          await box.ask('audit', 'verify');
        });
      },
    );
});

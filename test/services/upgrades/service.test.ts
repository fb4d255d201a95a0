import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { HandClock } from '../../support/clock.ts';
import { aServiceBox } from '../../support/services.ts';
import { until } from '../../support/until.ts';
import { openOverHttp, PackageServer } from './package-server.ts';

const bytes = randomBytes(50_000);
const sha256 = createHash('sha256').update(bytes).digest('hex');
const record = (version: string, change: object = {}) => ({
  app_code: 'panel',
  version,
  url: 'https://apps.example/panel.apk',
  min_platform_version: 8,
  max_platform_version: 14.5,
  description: `What is new in ${version}`,
  upgrade_type: 'normal' as const,
  ...change,
});
const site = { app_upgrades: ['1.2.0', '1.10.0', '1.9.9'].map(version => record(version)) };

test('the newest record above the version is answered, in every form of the path; none is empty data', async () => {
  await using box = await aServiceBox({ site });
  const of = async (rest: string) => (await box.caller.call(`/api/1.0.0/app-upgrade/${rest}`)).data;
  for (const rest of ['panel', 'panel?version=1.2.0', 'panelversion=1.9', 'panel&version=1.9.9'])
    expect(await of(rest)).toEqual(record('1.10.0'));
  expect(await of('panel?version=1.10.0')).toEqual({});
  expect(await of('other')).toEqual({});
});

test('pages go from the newest to the oldest', async () => {
  await using box = await aServiceBox({ site });
  const { data } = await box.caller.call('/api/1.0.0/app/page/panel?page=1&size=2');
  expect(data).toMatchObject({ page: 1, size: 2, total: 3, total_page: 2 });
  expect(data.rows.map((one: { version: string }) => one.version)).toEqual(['1.10.0', '1.9.9']);
  for (const query of ['', '?page=1', '?page=1&size=0', '?page=1&size=101', '?page=-1&size=10', '?page=x&size=10'])
    expect((await box.caller.call(`/api/1.0.0/app/page/panel${query}`)).status).toBe(400);
});

test('a package is fetched, checked, and then served by the box itself', async () => {
  await using server = await PackageServer.of(bytes);
  const own = record('2.0.0', { url: server.url, checksum: sha256, size: bytes.length });
  await using box = await aServiceBox({ site: { app_upgrades: [own] }, options: { openPackage: openOverHttp } });
  const newest = async () => (await box.caller.call('/api/1.0.0/app-upgrade/panel')).data;
  expect(await newest()).toEqual(own);
  await until('it is here', async () => (await newest()).url !== server.url);
  const served = await newest();
  expect(served).toEqual({ ...own, url: expect.stringContaining('/public/package/panel-2.0.0-') });
  const answer = await fetch(served.url.replace('https:', 'http:'));
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  for (const name of ['..%2fgatehouse.db', '.hidden', 'none', 'x.part'])
    expect((await fetch(`${box.url}/public/package/${name}`)).status).toBe(404);
});

test('a package with another checksum is never served', async () => {
  await using server = await PackageServer.of(bytes);
  const own = record('2.0.0', { url: server.url, checksum: '0'.repeat(64) });
  await using box = await aServiceBox({ site: { app_upgrades: [own] }, options: { openPackage: openOverHttp } });
  await box.caller.call('/api/1.0.0/app-upgrade/panel');
  await until('it was looked at', () => server.asked.length > 0);
  expect((await box.caller.call('/api/1.0.0/app-upgrade/panel')).data).toEqual(own);
});

test("the cloud's catalogue is fetched, kept while the line is cut, and the site's record goes before", async () => {
  const line = { isUp: true };
  await using box = await aServiceBox({
    clock: new HandClock(),
    site: { app_upgrades: [record('1.0.0', { description: 'of the site' })] },
    options: {
      cloud: {
        appId: 'a',
        appKey: 'k',
        async send(path) {
          if (!line.isUp) throw new Error('connect ECONNREFUSED');
          expect(path).toBe('/api/1.0.0/app/page/panel?page=1&size=100');
          const data = { page: 1, size: 100, total: 2, total_page: 1, rows: [record('3.0.0'), record('1.0.0')] };
          return { status: 200, body: JSON.stringify({ code: 0, msg: 'ok', data }) };
        },
      },
    },
  });
  expect((await box.caller.call('/api/1.0.0/app-upgrade/panel')).data).toMatchObject({ version: '3.0.0' });
  line.isUp = false;
  await box.clock.advance(2 * 3600_000);
  const { rows } = (await box.caller.call('/api/1.0.0/app/page/panel?page=1&size=10')).data;
  expect(rows.map((one: { description: string }) => one.description)).toEqual(['What is new in 3.0.0', 'of the site']);
});

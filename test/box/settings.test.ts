import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adminOf } from '../support/admin-token.ts';
import { BoxProcess } from '../support/program.ts';
import { terminalsAt } from '../support/ui-box.ts';

const site = {
  products: [{ product_id: 'FACE-T1', product_key: 'key-of-the-product', model: 'FT1', access: 'both' }],
};

test('a zone by default wants to be confirmed, also as it is, and that stays; one of the config is confirmed', async () => {
  await using box = await BoxProcess.start({}, site);
  const ask = await adminOf(box);
  const zone = async () => {
    const { standing } = (await ask('GET', '/status')).json as { standing: { kind: string; title: string }[] };
    return standing.find(({ kind }) => kind === 'zone')?.title;
  };
  expect(await zone()).toBe('Time zone not confirmed: Asia/Shanghai');
  expect((await ask('PUT', '/settings', { timezone: 'Asia/Shanghai' })).json).toMatchObject({
    site: { timezone: { value: 'Asia/Shanghai', confirmed: true, fixed_by: null } },
  });
  expect(await zone()).toBeUndefined();
  await box.kill9();
  await box.start();
  expect(await zone()).toBeUndefined();

  await using named = await BoxProcess.start({ site: { timezone: 'Europe/Berlin' } }, site);
  const asked = (await (await adminOf(named))('GET', '/status')).json as { standing: { kind: string }[] };
  expect(asked.standing.map(({ kind }) => kind)).not.toContain('zone');
});

test('name, zone and language change in a running box, and stay after it is killed', async () => {
  await using box = await BoxProcess.start({}, site, { LANG: 'C.UTF-8' });
  const ask = await adminOf(box);
  const terminals = await terminalsAt(box, { count: 1, recordsMax: 1 });
  await terminals.whenIdle();
  await terminals[Symbol.asyncDispose]();
  expect((await ask('GET', '/settings')).json).toMatchObject({
    site: {
      name: { value: 'My site', fixed_by: null },
      timezone: { value: 'Asia/Shanghai', fixed_by: null },
      locale: { value: 'en', fixed_by: null },
    },
  });
  const month = async () => {
    const { time_zone } = (await ask('GET', '/attendance/results?month=2026-11&with=sums')).json as {
      time_zone: string;
    };
    return { time_zone, header: (await box.ask('export', '--what', 'checkins', '--format', 'csv')).split('\r\n')[0] };
  };
  expect(await month()).toMatchObject({ time_zone: 'Asia/Shanghai', header: expect.stringContaining('Name') });

  const preview = (await ask('GET', '/settings/preview?timezone=America/New_York')).json as {
    now: { before: string; after: string };
  };
  expect(Date.parse(preview.now.before) - Date.parse(preview.now.after)).toBeGreaterThanOrEqual(12 * 3600_000);
  const change = { name: 'Plant 4', timezone: 'America/New_York', locale: 'zh-CN' };
  expect((await ask('PUT', '/settings', change)).status).toBe(200);

  const holds = async () => {
    expect((await ask('GET', '/session')).json).toMatchObject({ site: change });
    expect(await month()).toMatchObject({ time_zone: 'America/New_York', header: expect.stringContaining('姓名') });
    expect((await ask('GET', '/certificates/gatehouse.mobileconfig')).text).toContain('Gatehouse Plant 4');
  };
  await holds();
  expect((await ask('GET', '/audit')).text).toContain('name: My site → Plant 4; timezone: Asia/Shanghai → America');
  await box.kill9();
  await box.start();
  await holds();
  await box.stop();
  // A command on the stopped box, with and without the config file.
  const header = async (...args: string[]) =>
    (await box.ask('export', '--what', 'checkins', '--format', 'csv', ...args)).split('\r\n')[0];
  expect(await header()).toContain('姓名');
  expect(await header('--config', box.configFile)).toContain('姓名');
});

test('what the config file says wins, is shown with its place, and cannot be changed on the page', async () => {
  await using box = await BoxProcess.start({ site: { name: 'Plant 4' } }, site, { GATEHOUSE_SITE__TIMEZONE: 'UTC' });
  const ask = await adminOf(box);
  expect((await ask('GET', '/settings')).json).toMatchObject({
    site: {
      name: { value: 'Plant 4', fixed_by: expect.stringMatching(/gatehouse\.yaml:\d+:\d+$/) },
      timezone: { value: 'UTC', fixed_by: 'GATEHOUSE_SITE__TIMEZONE' },
    },
  });
  const refused = await ask('PUT', '/settings', { name: 'Plant 5', locale: 'zh-CN' });
  expect(refused.status).toBe(409);
  expect(refused.json).toMatchObject({ title: 'fixed', detail: expect.stringContaining('site.name is fixed by') });
  // Nothing of a refused change counts.
  expect((await ask('GET', '/session')).json).toMatchObject({ site: { name: 'Plant 4', locale: 'en' } });
  const wrong = await ask('PUT', '/settings', { locale: 'zh_CN' });
  expect(wrong).toMatchObject({ status: 422, json: { detail: 'locale: not a language such as zh-CN or en' } });

  // A name that was chosen before counts again when the config file no longer says one.
  await box.stop();
  await box.configure({ site: {} });
  await box.start();
  expect((await ask('PUT', '/settings', { name: 'Plant 6' })).status).toBe(200);
  await box.stop();
  await box.configure({ site: { name: 'Plant 4' } });
  await box.start();
  expect((await ask('GET', '/session')).json).toMatchObject({ site: { name: 'Plant 4' } });
  expect(JSON.parse(await readFile(join(box.dataDir, 'last-config.json'), 'utf8'))).toMatchObject({
    name: 'Plant 4',
    chosen: { name: 'Plant 6' },
  });
});

test('before things are kept for a shorter time the box says how much goes', async () => {
  await using box = await BoxProcess.start({}, site);
  const ask = await adminOf(box);
  expect((await ask('GET', '/settings')).json).toMatchObject({
    kept: { records: { days: 7, days_max: 7 }, logs: { days: 90, days_max: 90 } },
  });
  expect((await ask('GET', '/settings/preview?logs_days=30')).json).toMatchObject({
    removes: { logs: { items: 0, bytes: 0, at_least: false }, records: null },
  });
  expect((await ask('PUT', '/settings', { logs_days: 91 })).status).toBe(400);
  expect((await ask('PUT', '/settings', { logs_days: 30, records_days: 3 })).json).toMatchObject({
    kept: { records: { days: 3 }, logs: { days: 30 } },
  });
  expect((await ask('GET', '/disk')).json).toMatchObject({ kept_days: { records: 3, logs: 30 } });
});

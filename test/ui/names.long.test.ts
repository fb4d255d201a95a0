import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { staff } from '../../tools/sim/device/people.ts';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { aCloud, type TestCloud, trustOf, upstreamTo } from '../support/cloud.ts';
import { everyPage } from '../support/every-page.ts';
import type { BoxProcess } from '../support/program.ts';
import { MqttTerminal } from '../support/terminal.ts';
import { aUiBox, enterAs, urlOf } from '../support/ui-box.ts';
import { until } from '../support/until.ts';

const zone = 'Asia/Shanghai';
const dayAt = (at: number): string => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at);
const now = Date.now();
const today = dayAt(now);
const lastMonth = dayAt(Date.parse(`${today.slice(0, 7)}-01T00:00:00Z`) - 3 * 86_400_000).slice(0, 7);

const devices = [
  { id: 'FACE-T1_A0001', name: 'North gate' },
  { id: 'FACE-T1_A0002', name: 'Canteen turnstile' },
  { id: 'FACE-T1_A0003', name: 'Quiet dock' },
];
const people = staff(6).map(({ extId, name }) => ({ id: extId, name }));

const paths = [
  ...everyPage.filter(path => path !== '/wall' && path !== '/docs'),
  `/attendance?day=${today}`,
  `/attendance/month?month=${lastMonth}`,
  `/attendance/month?month=${today.slice(0, 7)}`,
  `/attendance/person/${people[0]!.id}`,
  `/attendance/person/${people[0]!.id}?day=${today}`,
  `/attendance/person/${people[0]!.id}/${today}`,
  '/attendance/record/checkin/1',
  '/attendance/record/access/1',
  '/devices?refused=FACE-T1_A0009',
  `/devices/FACE-T1_A0001/statement/${today}`,
  '/integrations?tab=requests',
  '/logs?tab=system',
  '/system/settings',
];

/**
 * Names and ids that stand on the page as bare text, where a page for them exists. Passed over are
 * the sentence at the top, whose rows follow, what a person fills in or presses, what is written
 * for machines, the labels of pictures, which have a table behind them, the page of the very person
 * or device, and an id beside its link.
 */
const bareNames = (known: readonly { readonly id: string; readonly name: string }[]) => `(() => {
  const known = ${JSON.stringify(known)};
  const here = decodeURIComponent(location.pathname) + '/';
  const passedOver =
    'a, h1, .sentence, button, select, input, textarea, label, script, style, pre, code, svg, caption, [role=option], [role=img], [aria-hidden=true], .print-head';
  const of = text => known.filter(({ id, name }) =>
    !here.includes('/' + id + '/') &&
    [id, name].some(one => new RegExp('(?<![\\\\w-])' + one + '(?![\\\\w-])').test(text)));
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    if (parentElement.closest(passedOver) || !parentElement.checkVisibility()) continue;
    for (const { id } of of(textContent)) {
      const beside = parentElement.closest('tr, li')?.querySelectorAll('a') ?? [];
      if ([...beside].some(a => a.href.endsWith('/' + encodeURIComponent(id)))) continue;
      const row = parentElement.closest('table')?.caption?.textContent ?? parentElement.closest('section, dialog')?.querySelector('h1, h2')?.textContent ?? '';
      found.push((row + ' <' + parentElement.tagName.toLowerCase() + '> ' + textContent.trim()).slice(0, 160) + ' [' + id + ']');
    }
  }
  return [...new Set(found)];
})()`;

/** Where a link says an id although the device or person has a name. */
const linkedIds = (known: readonly { readonly id: string }[]) => `(() => {
  const ids = ${JSON.stringify(known.map(({ id }) => id))};
  const found = [...document.querySelectorAll('main a, dialog[open] a')].filter(a => a.checkVisibility() && ids.includes(a.textContent.trim()));
  return [...new Set(found.map(a => (a.closest('table')?.caption?.textContent ?? '') + ': ' + a.textContent))];
})()`;

suiteWithBrowser('names on the pages', () => {
  let browser: TestBrowser;
  let cloud: TestCloud;
  let box: BoxProcess;
  beforeAll(async () => {
    browser = await TestBrowser.open();
    cloud = await aCloud({ products: [{ product_id: 'FACE-T1', product_key: 'key-of-the-product', model: 'FT1' }] });
    box = await aUiBox(
      { site: { name: 'Plant 4', timezone: zone, locale: 'en' }, upstream: upstreamTo(cloud) },
      {
        devices: devices.map(({ id, name }) => ({ device_id: id, name })),
        employees: people.map(({ id, name }) => ({ ext_id: id, name, mobile: '', department: { ext_id: 'd1' } })),
        shifts: [{ code: 'day', name: 'Day', times: ['08:30-17:30'] }],
        schedules: [
          { who: 'site', shift: 'day', from: `${lastMonth}-01` },
          { who: { person: people[0]!.id }, shift: 'day', from: `${lastMonth}-01` },
        ],
      },
    );
    for (const { id } of devices.slice(0, 2)) await reports(box, id);
    await until('the records are there', async () => (await box.export('checkins')).length >= 12);
    await box.stop();
    const database = new DatabaseSync(join(box.dataDir, 'gatehouse.db'));
    database.prepare('UPDATE device SET first_seen_at = ?').run(now - 2 * 86_400_000);
    database.exec(
      "INSERT INTO parked (seq, device_no, parked_at, code, reason, send_again) SELECT 1, device_no, 1, 5, 'no such person', 0 FROM checkin LIMIT 1",
    );
    database.close();
    await box.start();
    const page = await signedIn({}, '/');
    const call = async (method: string, path: string, body?: unknown) => {
      const sent = JSON.stringify({
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const outcome = await page.evaluate(
        `fetch('/admin/v1${path}', ${sent}).then(async answer => answer.ok ? 'ok' : answer.status + await answer.text())`,
      );
      expect(`${method} ${path} ${outcome}`).toBe(`${method} ${path} ok`);
    };
    await call('PUT', `/devices/${devices[2]!.id}`, { name: devices[2]!.name, blocked: true });
    await call('PUT', `/people/${people[1]!.id}`, { name: people[1]!.name, employee_num: '77', department: 'd1' });
    const someone = { kind: 'person', ext_id: people[2]!.id };
    await call('POST', '/schedules/calendar', { date: today, target: someone, what: { kind: 'rest' } });
    const leave = { ext_id: people[3]!.id, from: `${today}T09:00`, to: `${today}T18:00`, kind: 'annual' };
    await call('POST', '/schedules/leaves', leave);
    await call('POST', '/schedules/leaves', { ...leave, state: 'asked', ext_id: people[4]!.id });
    await call('POST', '/attendance/closings', { month: lastMonth, force: 'to see what changes' });
    const item = { ext_id: people[0]!.id, time: `${lastMonth}-11T08:31` };
    await call('POST', '/attendance/corrections', { kind: 'add', items: [item], reason: 'forgot' });
    await page.context().close();
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await box?.[Symbol.asyncDispose]();
    await cloud?.[Symbol.asyncDispose]();
  });

  const signedIn = async (look: Parameters<TestBrowser['page']>[1], path: string): Promise<Page> => {
    const page = await browser.page(urlOf(box), look);
    await page.goto(path);
    await enterAs('mei', page);
    await page.locator('.path .station').first().waitFor();
    return page;
  };

  const opens = async (page: Page, path: string): Promise<void> => {
    await page.goto(path);
    await page.locator('main :is(.sentence, .wall)').first().waitFor();
    await page.locator('main [role=status]:text-matches("Loading|正在加载")').first().waitFor({ state: 'detached' });
  };

  test('each person and device is a link with its name, on every page', async () => {
    const page = await signedIn({}, '/');
    const findings: string[] = [];
    let pagesThatName = 0;
    for (const path of paths) {
      await opens(page, path);
      const bare = (await page.evaluate(bareNames([...devices, ...people]))) as string[];
      const ids = (await page.evaluate(linkedIds(devices))) as string[];
      if (
        (await page
          .locator('main a')
          .filter({ hasText: /North gate|Canteen turnstile|Li Mei/ })
          .count()) > 0
      )
        pagesThatName++;
      findings.push(...[...bare, ...ids].map(one => `${path}: ${one}`));
    }
    expect(findings).toEqual([]);
    expect(pagesThatName).toBeGreaterThan(12);
  });
});

/** Check-ins of everybody, of a stranger, passages and a line of its log. */
async function reports(box: BoxProcess, device: string): Promise<void> {
  const time = Math.floor(now / 1000) - 60;
  const records = [...people.map(({ id }) => id), 'stranger-9'].map((ext_id, index) => ({
    ...{ id: `${index + 1}`, ext_id, check_type: 'fa', check_time: time + index },
  }));
  const identity = { deviceId: device, key: 'key-of-the-product' };
  const terminal = new MqttTerminal(identity, `mqtts://${box.addresses.mqtts}`, { ca: await trustOf(box.dataDir) });
  const say = (action: number, data: object) =>
    terminal.client.publishAsync(
      'device',
      JSON.stringify({ mid: `m${action}`, from: device, to: 'system', time, action, data }),
      { qos: 1 },
    );
  await say(2001, { records });
  const passages = records.map(({ ext_id }, index) => ({
    ...{ id: `p${index}`, ext_id, check_type: 'fa', check_time: time + index, check_result: 0, door_id: 'D1' },
  }));
  await say(2002, { records: passages });
  await terminal.say('log');
  await terminal.end();
}

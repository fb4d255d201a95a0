import { readFile } from 'node:fs/promises';
import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { staff } from '../../tools/sim/device/people.ts';
import { axeFindings } from '../support/axe.ts';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import type { BoxProcess } from '../support/program.ts';
import { HttpTerminal } from '../support/terminal.ts';
import { adminPassword, aUiBox, urlOf } from '../support/ui-box.ts';
import { until } from '../support/until.ts';

const hall2 = 'GATEHOUSE_000002';
const [first, second] = staff(20).map(one => one.name);
const faces = { product_id: 'FACE-T1', product_key: 'key-of-the-product', name: 'Faces', model: 'FT1', access: 'both' };
const boxes = { product_id: 'GATEHOUSE', product_key: 'key-of-the-boxes', name: 'Boxes', access: 'http' };

/** What a terminal reports; resolves when the box has taken it. */
async function reports(box: BoxProcess, deviceId: string, action: number, record: object): Promise<void> {
  const ca = await box.ask('trust', 'export', '--edition', 'slim');
  const terminal = new HttpTerminal({ deviceId, key: 'key-of-the-product' }, urlOf(box), ca);
  try {
    await terminal.connect();
    const check_time = Math.floor(Date.now() / 1000);
    const data = { records: [{ check_type: 'fa', check_time, ...record }] };
    const message = { mid: `m${action}`, from: terminal.deviceId, to: 'system', time: 0, action, data };
    const path = `/api/push/${terminal.deviceId}`;
    const answer = await terminal.ask(path, { method: 'POST', body: JSON.stringify(message) });
    expect(JSON.parse(answer.body).code).toBe(0);
  } finally {
    terminal.end();
  }
}

suiteWithBrowser('a choice of the site, on the pages', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  const signedIn = async (box: BoxProcess, path: string) => {
    const page = await browser.page(urlOf(box));
    await page.goto(path);
    await page.getByLabel('Name').fill('mei');
    await page.getByLabel('Password').fill(adminPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation').first().waitFor();
    return page;
  };

  test('Today, attendance, access and their files show one site, and boxes below come in pages', async () => {
    const others = Array.from({ length: 59 }, (_, index) => ({
      box_id: `GATEHOUSE_${String(index + 100).padStart(6, '0')}`,
      name: `Hall ${index + 100}`,
    }));
    await using box = await aUiBox(
      {},
      {
        products: [faces, boxes],
        boxes: [{ box_id: hall2, name: 'Hall 2', devices: ['FACE-T1_A0002'] }, ...others],
      },
    );
    await reports(box, 'FACE-T1_A0001', 2001, { ext_id: 'e1' });
    await reports(box, 'FACE-T1_A0002', 2001, { ext_id: 'e2' });
    await reports(box, 'FACE-T1_A0001', 2002, { ext_id: 'e1', door_id: 'North', check_result: 0 });
    await reports(box, 'FACE-T1_A0002', 2002, { ext_id: 'e2', door_id: 'South', check_result: 0 });
    const exported = (...more: string[]) => box.ask('export', '--what', 'checkins', '--format', 'csv', ...more);
    await until('both check-ins are there', async () => (await exported()).includes(second!));
    const ofHall2 = await exported('--box', hall2.toLowerCase());
    expect(ofHall2).toContain(second);
    expect(ofHall2).not.toContain(first);
    expect(await exported('--box', 'here')).toContain(first);
    await expect(exported('--box', 'GATEHOUSE_000009')).rejects.toThrow('no such box below');

    const page = await signedIn(box, '/');
    const site = page.getByRole('combobox', { name: /^Site/ });
    const has = async (what: { waitFor(): Promise<void> }) => what.waitFor();
    // Today.
    const latest = page.getByRole('table', { name: 'Recent check-ins' });
    await has(latest.getByText(first!));
    await has(latest.getByText(second!));
    await site.selectOption({ label: 'Hall 2' });
    await page.waitForURL(`**/?box=${hall2}`);
    await has(page.locator('.sentence', { hasText: '1 person checked in at this site today' }));
    await has(latest.getByText(second!));
    expect(await latest.getByText(first!).count()).toBe(0);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await axeFindings(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await site.selectOption({ label: 'Hall 101' });
    await has(page.locator('.sentence', { hasText: '0 people checked in at this site today' }));
    await site.selectOption({ label: 'This gateway' });
    await page.waitForURL('**/?box=here');
    await has(latest.getByText(first!));
    expect(await latest.getByText(second!).count()).toBe(0);

    // A day: nobody is missed at a site.
    await page.getByRole('link', { name: 'People today' }).click();
    await page.waitForURL('**/attendance?box=here');
    await has(page.locator('.sentence', { hasText: /1 person checked in$/ }));
    const here = page.getByRole('table', { name: 'With check-in' });
    await has(here.getByText(first!));
    await site.selectOption({ label: 'Hall 2' });
    await has(here.getByText(second!));
    expect(await here.getByText(first!).count()).toBe(0);
    expect(await page.getByRole('heading', { name: 'Without check-in' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Month' }).click();
    await page.waitForURL(`**/attendance/month?box=${hall2}`);
    const month = page.getByRole('table', { name: /^Check-ins by employee and day/ });
    await has(month.getByText(second!));
    expect(await month.getByRole('row').count()).toBe(2);
    const fileOf = async (name: string) => {
      const coming = page.waitForEvent('download');
      await page.getByRole('link', { name }).click();
      return readFile(await (await coming).path());
    };
    expect((await fileOf('Check-ins (CSV)')).toString()).toBe(await exported('--box', hall2));
    const { sheets } = await readXlsx(await fileOf('Check-ins (Excel)'));
    expect(JSON.stringify(sheets[0]!.rows)).toContain(second);
    expect(JSON.stringify(sheets[0]!.rows)).not.toContain(first);
    await site.selectOption({ label: 'All' });
    await until('everybody is listed', async () => (await month.getByRole('row').count()) === 21);

    // Doors.
    await page.goto(`/access?box=${hall2}`);
    const passages = page.getByRole('table', { name: 'Access records, newest first' });
    await has(passages.getByText('South'));
    expect(await passages.getByText('North').count()).toBe(0);
    await site.selectOption({ label: 'This gateway' });
    await has(passages.getByText('North'));
    expect(await passages.getByText('South').count()).toBe(0);

    // Sixty boxes below are no longer one table.
    await page.goto('/devices');
    const below = page.getByRole('table', { name: 'Downstream gateways' });
    await until('a page of them', async () => (await below.getByRole('row').count()) === 21);
    const section = page.getByRole('region', { name: 'Downstream gateways' });
    await section.getByRole('button', { name: 'Show more' }).click();
    await until('the next one', async () => (await below.getByRole('row').count()) === 41);
    expect(await section.getByRole('link', { name: /page Fleet/ }).getAttribute('href')).toBe('/fleet');
    await page.goto(`/devices?box=${hall2}`);
    await until('the chosen one', async () => (await below.getByRole('row').count()) === 2);
    await has(below.getByText(hall2));
    expect(await axeFindings(page)).toEqual([]);

    await page.goto(`/?box=${hall2}`);
    await page.getByRole('button', { name: '中文' }).click();
    await has(page.locator('.sentence', { hasText: '该站点今日打卡 1 人' }));
    expect(page.foreign).toEqual([]);
  });

  test('a box without boxes below offers no choice', async () => {
    await using box = await aUiBox();
    const page = await signedIn(box, '/');
    for (const path of ['/', '/attendance', '/attendance/month', '/access']) {
      await page.goto(path);
      await page.locator('.sentence').waitFor();
      expect(await page.getByLabel('Site', { exact: true }).count(), path).toBe(0);
    }
  });
});

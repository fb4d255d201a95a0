import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { staff } from '../../tools/sim/device/people.ts';
import { axeFindings } from '../support/axe.ts';
import { type Look, suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { aCloud, type TestCloud, trustOf, upstreamTo } from '../support/cloud.ts';
import type { BoxProcess } from '../support/program.ts';
import { MqttTerminal } from '../support/terminal.ts';
import { aUiBox, enterAs, urlOf } from '../support/ui-box.ts';
import { until } from '../support/until.ts';

const zone = 'Asia/Shanghai';
const dayOf = (at: number): string => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at);
const device = 'FACE-T1_A0001';

const looks: readonly (Look & { readonly name: string })[] = [
  { name: 'English, light, 1280 px', width: 1280 },
  { name: 'Chinese, dark, 390 px', width: 390, locale: 'zh-CN', dark: true },
];

/** 20 check-ins of one person, numbered by the device. */
async function sayAll(box: BoxProcess): Promise<void> {
  const time = Math.floor(Date.now() / 1000);
  const { extId } = staff(1)[0]!;
  const records = Array.from({ length: 20 }, (_, index) => ({
    ...{ id: String(index + 1), ext_id: extId, check_type: 'fa', check_time: time - 20 + index },
  }));
  const identity = { deviceId: device, key: 'key-of-the-product' };
  const terminal = new MqttTerminal(identity, `mqtts://${box.addresses.mqtts}`, { ca: await trustOf(box.dataDir) });
  const message = { mid: 'n1', from: device, to: 'system', time, action: 2001, data: { records } };
  await terminal.client.publishAsync('device', JSON.stringify(message), { qos: 1 });
  await terminal.end();
}

suiteWithBrowser('receipts and statements on the pages', () => {
  let browser: TestBrowser;
  let cloud: TestCloud;
  let box: BoxProcess;
  const now = Date.now();

  beforeAll(async () => {
    browser = await TestBrowser.open();
    cloud = await aCloud({ products: [{ product_id: 'FACE-T1', product_key: 'key-of-the-product', model: 'FT1' }] });
    box = await aUiBox({ site: { name: 'Plant 4', timezone: zone, locale: 'en' }, upstream: upstreamTo(cloud) });
    await sayAll(box);
    await until('the cloud has all of it', async () => {
      const { outbox } = JSON.parse(await box.ask('status', '--json'));
      return outbox.waiting === 0 && (await box.export('checkins')).length === 20;
    });
    await box.stop();
    // It has been here for two days.
    const database = new DatabaseSync(join(box.dataDir, 'gatehouse.db'));
    database.prepare('UPDATE device SET first_seen_at = ?').run(now - 2 * 24 * 3600_000);
    database.close();
    await box.start();
    await until('two days are stated', async () => JSON.parse(await box.ask('status', '--json')).statement?.no === 2);
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await box?.[Symbol.asyncDispose]();
    await cloud?.[Symbol.asyncDispose]();
  });

  const signedIn = async (look: Look, path: string) => {
    const page = await browser.page(urlOf(box), look);
    await page.goto(path);
    await enterAs('li', page);
    await page.locator('.path .station').first().waitFor();
    return page;
  };

  test('from the page of a device to its month, to a day, and to the receipt of a record', async () => {
    const page = await signedIn({}, `/devices/${device}`);
    await page.getByRole('link', { name: 'Statement', exact: true }).click();
    const rows = page.getByRole('table', { name: 'Statements' }).getByRole('row');
    // Of this month: on its first day the others are those of the month before.
    const days = [0, 1, 2].map(back => dayOf(now - back * 24 * 3600_000));
    await rows.nth(days.filter(day => day.slice(0, 7) === days[0]!.slice(0, 7)).length).waitFor();
    const today = await rows.nth(1).locator('td').allTextContents();
    expect(today).toEqual([dayOf(now), '20', '20', '20', 'consistent (so far)']);
    await page.getByRole('link', { name: dayOf(now) }).click();
    await page.getByText('The day is still running').waitFor();
    expect(await page.locator('.statement-figures b').allInnerTexts()).toEqual(['20', '20', '20']);
    await page.goto(`/devices/${device}/statement/${dayOf(now - 24 * 3600_000)}`);
    await page.getByText('Tamper-proof hash', { exact: true }).waitFor();
    const hash = (await page.locator('.statement-proof .mono').first().textContent())!.replaceAll(' ', '');
    expect((await box.run('statement', 'verify', '--head', hash)).status).toBe(0);
    await page.goto(`/devices/${device}`);
    await page.getByRole('table', { name: 'Recent records' }).getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Cloud' }).waitFor();
    expect(await page.locator('.receipt li').count()).toBe(4);
    expect(await page.locator('.receipt').textContent()).toMatch(/confirmed over MQTT/);
  });

  test('from a person to the sheet of a day, with the receipts of that day', async () => {
    const [{ ext_id: person }] = (await box.export<{ ext_id: string }>('checkins')) as [{ ext_id: string }];
    const page = await signedIn({}, `/attendance/person/${person}`);
    await page
      .getByRole('table')
      .getByRole('link', { name: dayOf(now) })
      .first()
      .click();
    await page.getByRole('link', { name: 'Printable sheet' }).click();
    await page.getByText(/with receipt/).waitFor();
    await page.locator('.receipt').first().waitFor();
    expect(await page.locator('.receipt').first().textContent()).toContain('Gateway disk');
  });

  test.each(looks)('in $name axe finds nothing, and nothing goes sideways', async look => {
    const page = await signedIn(look, '/devices');
    const findings: string[] = [];
    for (const path of [
      `/devices/${device}/statement`,
      `/devices/${device}/statement/${dayOf(now)}`,
      `/devices/${device}/statement/${dayOf(now - 24 * 3600_000)}`,
      `/devices/${device}/record/1`,
      '/attendance/record/checkin/1',
    ]) {
      await page.goto(path);
      await page.locator('main :is(.sentence, .wall)').first().waitFor();
      await page.locator('main [role=status]:text-matches("Loading|正在加载")').first().waitFor({ state: 'detached' });
      const wide = await page.locator('html').evaluate(html => html.scrollWidth - html.clientWidth);
      if (wide > 0) findings.push(`${path}: ${wide} px wider than the screen`);
      findings.push(...(await axeFindings(page)).map(one => `${path}: ${one}`));
    }
    expect(findings).toEqual([]);
  });
});

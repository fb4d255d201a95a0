import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { BoxProcess } from '../support/program.ts';
import { adminPassword, aUiBox, terminalsAt, urlOf } from '../support/ui-box.ts';
import { until } from '../support/until.ts';

const faces = {
  product_id: 'FACE-T1',
  product_key: 'key-of-the-product',
  name: 'Face terminal',
  model: 'FT1',
  access: 'both',
};
const boxes = { product_id: 'GATEHOUSE', product_key: 'key-of-the-boxes', name: 'Boxes', access: 'http' };

suiteWithBrowser('the fleet, on the pages', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  test('a box below says how it is, boxes in trouble stand above it, and its devices are found by it', async () => {
    const others = Array.from({ length: 59 }, (_, index) => ({
      box_id: `GATEHOUSE_${String(index + 100).padStart(6, '0')}`,
      name: `Hall ${index + 100}`,
    }));
    await using above = await aUiBox(
      {},
      { products: [faces, boxes], boxes: [{ box_id: 'GATEHOUSE_000002', name: 'Hall 2' }, ...others] },
    );
    await using below = await BoxProcess.start(
      {
        box: { product_id: 'GATEHOUSE', device_sn: '000002', access_key: 'key-of-the-boxes' },
        upstream: { mode: 'batch', device_http: urlOf(above), ca: `file:${join(above.dataDir, 'tls', 'ca.pem')}` },
      },
      { products: [faces] },
    );
    const terminals = await terminalsAt(below, { firstSerial: 'B0001', count: 1, logs: 1 });
    const fleet = async (...more: string[]) => JSON.parse(await above.ask('fleet', '--json', ...more));
    await until('the box was heard', async () => (await fleet()).well === 1);
    const logsAbove = () => above.ask('export', '--what', 'logs', '--format', 'ndjson');
    await until('a log has come', async () => (await logsAbove()).includes('FACE-T1_B0001'));
    await terminals.stop();
    expect((await fleet('--trouble', 'none')).rows).toMatchObject([
      { box_id: 'GATEHOUSE_000002', environment: 'test', disk: { state: 'ok', low: false } },
    ]);
    expect(await above.ask('fleet', '--search', 'hall 2')).toMatch(/^GATEHOUSE_000002 \(Hall 2\) +- .*agrees/m);

    const page = await browser.page(urlOf(above));
    await page.goto('/fleet');
    await page.getByLabel('Name').fill('mei');
    await page.getByLabel('Password').fill(adminPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('.sentence', { hasText: '59 of 60 gateways need attention' }).waitFor();
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Fleet' }).getAttribute('href')).toBe('/fleet');
    const table = page.getByRole('table', { name: 'Downstream gateways' });
    expect(await table.getByRole('row').nth(1).textContent()).toContain('Offline');
    await page.getByRole('button', { name: 'Show more' }).click();
    const row = table.getByRole('row').filter({ hasText: 'Hall 2' }).last();
    await row.getByText('OK').waitFor();
    for (const width of [1440, 820, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await axeFindings(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByLabel('Name or ID').fill('hall 2');
    await page.waitForURL(/search=hall/);
    await until('one row is left', async () => (await table.getByRole('row').count()) === 2);
    await table.getByRole('link', { name: 'Devices' }).click();
    await page.waitForURL('**/devices?box=GATEHOUSE_000002');
    const devices = page.getByRole('table', { name: 'Devices', exact: true });
    await devices.getByText('FACE-T1_B0001').waitFor();
    expect(await devices.getByText('GATEHOUSE_000002').count()).toBe(0);
    await page.getByLabel('Site').selectOption({ label: 'This gateway' });
    await page.waitForURL('**/devices?box=here');
    await devices.getByText('GATEHOUSE_000002').waitFor();
    expect(await devices.getByText('FACE-T1_B0001').count()).toBe(0);
    await page.goto('/logs?box=GATEHOUSE_000002');
    const logs = page.getByRole('table', { name: /^Device logs/ });
    await logs.getByText('FACE-T1_B0001').first().waitFor();
    await page.getByLabel('Site').selectOption({ label: 'Hall 101' });
    await page.waitForURL('**/logs?box=GATEHOUSE_000101');
    await until('no log is of that site', async () => (await logs.count()) === 0);
    await page.goto('/fleet?search=hall+2');
    await page.getByRole('button', { name: '中文' }).click();
    await page.locator('.sentence', { hasText: '60 个下级网关中 59 个异常' }).waitFor();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await axeFindings(page)).toEqual([]);
    }
    expect(page.foreign).toEqual([]);
  });

  test('a box without boxes below has no such page in its navigation', async () => {
    await using box = await aUiBox();
    const page = await browser.page(urlOf(box));
    await page.goto('/devices');
    await page.getByLabel('Name').fill('mei');
    await page.getByLabel('Password').fill(adminPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Set up devices' }).waitFor();
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Fleet' }).count()).toBe(0);
  });
});

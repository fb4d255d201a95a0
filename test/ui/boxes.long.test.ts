import { readdir, readFile } from 'node:fs/promises';
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

suiteWithBrowser('boxes below, on the pages', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  test('a box that is not listed is approved with a button, and what it has kept comes; its device is moved', async () => {
    await using above = await aUiBox({}, { products: [faces, boxes] });
    await using below = await BoxProcess.start(
      {
        box: { product_id: 'GATEHOUSE', device_sn: '000002', access_key: 'key-of-the-boxes' },
        upstream: {
          mode: 'batch',
          device_http: urlOf(above),
          ca: `file:${join(above.dataDir, 'tls', 'ca.pem')}`,
        },
        backups: { above: {} },
      },
      { products: [faces] },
    );
    const terminals = await terminalsAt(below, { firstSerial: 'B0001', count: 1 });
    const status = async () => JSON.parse(await below.ask('status', '--json'));
    await until('the box above refuses', async () => (await status()).line.state === 'refused');
    expect((await status()).line.why).toMatch(/does not take batches of this box: GATEHOUSE_000002 is not listed here/);
    await until('something waits', async () => (await status()).outbox.waiting > 0);
    expect((await status()).outbox.parked).toBe(0);
    await terminals.stop();

    const page = await browser.page(urlOf(above));
    await page.goto('/devices');
    await page.getByLabel('Name').fill('mei');
    await page.getByLabel('Password').fill(adminPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'GATEHOUSE_000002' });
    await row.getByText('A box whose batches are not taken here: it is not listed').waitFor();
    await row.getByRole('button', { name: 'Accept gateway' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Hall 2');
    await dialog.getByRole('button', { name: 'Accept gateway' }).click();
    await page.getByText('GATEHOUSE_000002 accepted.').waitFor();
    await page
      .getByRole('table', { name: 'Downstream gateways' })
      .getByRole('row')
      .filter({ hasText: 'Hall 2' })
      .waitFor();
    await until('nothing waits below', async () => (await status()).outbox.waiting === 0);

    await below.ask('recovery-key', 'new');
    await below.ask('backup', '--to', 'above');
    await page.goto('/devices');
    await page.getByRole('row').filter({ hasText: 'Hall 2' }).getByText('1, last').waitFor();
    await page.getByText('Backups of Hall 2 (1)').first().click();
    const kept = page.getByRole('table', { name: 'Backups of Hall 2 (1)' });
    for (const width of [1440, 820, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await axeFindings(page)).toEqual([]);
    }
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      kept.getByRole('link', { name: /^gatehouse-.*\.gh$/ }).click(),
    ]);
    const folder = join(above.dataDir, 'backups-of-boxes', 'GATEHOUSE_000002');
    const [name] = (await readdir(folder)).filter(file => file.endsWith('.gh'));
    expect(await readFile(await download.path())).toEqual(await readFile(join(folder, name!)));
    await kept.getByRole('button', { name: `Delete ${name}` }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('row').filter({ hasText: 'Hall 2' }).getByText('none').waitFor();
    expect(await readdir(join(above.dataDir, 'backups-of-boxes'))).toEqual([]);

    await page.goto('/devices/FACE-T1_B0001');
    await page.getByText('GATEHOUSE_000002', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Move to another gateway' }).click();
    await dialog.getByLabel('Belongs to').selectOption({ label: 'this gateway' });
    await dialog.getByRole('button', { name: 'Move to another gateway' }).click();
    await page.getByText('FACE-T1_B0001 moved').waitFor();
    await page.getByText('this gateway', { exact: true }).waitFor();
    expect(page.foreign).toEqual([]);
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { BoxProcess } from '../support/program.ts';
import { adminPassword, urlOf } from '../support/ui-box.ts';
import { afternoonZone, aPlant, fillWorkingDays, plantSchedules } from '../support/working-day.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

suiteWithBrowser('a list on paper, at a site of 200 people', () => {
  let browser: TestBrowser;
  let box: BoxProcess;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-paper-'));
    const timezone = afternoonZone(Date.now());
    const site = { ...aPlant(), ...plantSchedules(timezone) };
    await fillWorkingDays(dataDir, site, timezone);
    browser = await TestBrowser.open();
    box = await BoxProcess.start(
      { site: { name: 'Plant 4', locale: 'en', timezone } },
      { ...site, users: [{ name: 'mei', password: adminPassword, role: 'admin' }] },
      {},
      dataDir,
    );
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await box?.[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  });

  test.each([
    ['people', '/people', 'main table tbody tr', 200],
    ['the month', '/attendance/month', 'table.sums > tbody', 200],
  ])('%s: the button and Ctrl-P print every row, under site, moment and filter', async (_name, path, rows, all) => {
    const page = await signedIn(browser, box);
    await page.goto(path);
    await page.locator(rows).first().waitFor();
    expect(await page.locator(rows).count()).toBeLessThan(all);
    await page.getByRole('button', { name: 'Print', exact: true }).click();
    await page.locator('body[data-printed]').waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator(rows).filter({ visible: true }).count()).toBe(all);
    expect(await page.locator('.print-head').textContent()).toMatch(
      /Plant 4\s*Printed \d{4}-\d\d-\d\d \d\d:\d\d:\d\d by mei/,
    );
    await page.emulateMedia({ media: 'screen' });
    await page.reload();
    await page.locator(rows).first().waitFor();
    await page.keyboard.press('Control+p');
    await page.locator('body[data-printed]').waitFor();
    expect(await page.locator(rows).count()).toBe(all);
    await page.context().close();
  });

  test('the filter of the list stands above it, and nothing that can only be pressed', async () => {
    const page = await signedIn(browser, box);
    await page.goto('/people');
    await page.getByLabel('Name, number, mobile or pinyin').fill('Li');
    await page.locator('main table tbody tr').first().waitFor();
    await page.getByRole('button', { name: 'Print', exact: true }).click();
    await page.locator('body[data-printed]').waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.locator('.print-head').textContent()).toContain('Name, number, mobile or pinyin: Li');
    expect(await page.locator('button.act:visible, nav:visible, .path:visible, main input:visible').count()).toBe(0);
    const colours = await page.evaluate(`getComputedStyle(document.querySelector('main td')).color`);
    expect(colours).toBe('rgb(0, 0, 0)');
    await page.context().close();
  });

  test('a browser that prints by its own menu says that the list goes on', async () => {
    const page = await signedIn(browser, box);
    await page.goto('/people');
    await page.locator('main table tbody tr').first().waitFor();
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    await page.emulateMedia({ media: 'print' });
    await page.locator('.print-head .cut').filter({ hasText: 'The list goes on', visible: true }).waitFor();
    await page.context().close();
  });
});

/** A page that notes on its body that it would have printed. */
async function signedIn(browser: TestBrowser, box: BoxProcess): Promise<Page> {
  const page = await browser.page(urlOf(box));
  page.setDefaultTimeout(30_000);
  await page.addInitScript(
    `window.print = () => { dispatchEvent(new Event('beforeprint')); document.body.dataset.printed = ''; };`,
  );
  await page.goto('/');
  await page.locator('input[name=name]').fill('mei');
  await page.locator('input[name=password]').fill(adminPassword);
  await page.locator('button[type=submit]').click();
  await page.locator('.path .station').first().waitFor();
  return page;
}

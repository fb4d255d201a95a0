import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { BoxProcess } from '../support/program.ts';
import { suiteNeeding } from '../support/tools.ts';
import { adminPassword, enterAs, terminalsAt, urlOf } from '../support/ui-box.ts';
import { until } from '../support/until.ts';
import { afternoonZone, aPlant, fillWorkingDays, plantSchedules } from '../support/working-day.ts';

/** Within these all rows are loaded and drawn, also on a busy machine. */
const recordsOfTerminal = 25;
const changes = 60;

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
    const terminal = await terminalsAt(box, { count: 1, rate: 50, recordsMax: recordsOfTerminal });
    const page = await signedIn(browser, box);
    await until('the records of the terminal are there', async () => {
      const { rows } = await askAs<{ rows: unknown[] }>(page, 'GET', '/devices/FACE-T1_A0001/ledger?limit=100');
      return rows.length === recordsOfTerminal;
    });
    await terminal.stop();
    for (let change = 0; change < changes; change++)
      await askAs(page, 'PUT', '/departments/d1', { name: 'Assembly', p_ext_id: '0' });
    await page.context().close();
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await box?.[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  });

  test.each([
    ['people', '/people', 'main table tbody tr', 200],
    ['the month', '/attendance/month?show=all', 'table.sums tbody tr', 200],
    ['devices', '/devices', 'table[aria-label=Devices] tbody tr', 60],
    ['records of a device', '/devices/FACE-T1_A0001', '[aria-labelledby=trace] tbody tr', recordsOfTerminal],
    ['the audit log', '/system/audit?text=PUT%20%2Fdepartments', 'main table tbody tr', changes],
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
    if (path.endsWith('show=all'))
      expect(await page.locator('.print-head').textContent()).toContain('Filter: All employees (200)');
    await page.emulateMedia({ media: 'screen' });
    await page.reload();
    await page.locator(rows).first().waitFor();
    await page.keyboard.press('Control+p');
    await page.locator('body[data-printed]').waitFor();
    expect(await page.locator(rows).count()).toBe(all);
    await page.context().close();
  });

  test('the month says up to which record it holds, as its workbook does; a list of people does not', async () => {
    const page = await signedIn(browser, box);
    await page.goto('/attendance/month');
    await page.locator('table.sums tbody tr').first().waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.print-head').textContent()).toMatch(/Includes records up to number [1-9][\d,]*/);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('link', { name: 'People', exact: true }).click();
    await page.locator('main table tbody tr').first().waitFor();
    expect(await page.locator('.print-head').textContent()).not.toContain('Holds every');
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
    await page.locator('.print-head .cut').filter({ hasText: 'Incomplete list', visible: true }).waitFor();
    await page.context().close();
  });

  test('the month fits its paper, also with numbers of 18 digits and long names', async () => {
    const page = await signedIn(browser, box);
    await page.route('**/admin/v1/attendance/results?*', async route => {
      const answer = await route.fetch();
      const report = (await answer.json()) as { rows: { employee_num: string; name: string; department: string }[] };
      for (const row of report.rows)
        Object.assign(row, {
          employee_num: '110101199001011234',
          name: `${row.name} von und zu Hohenstein`,
          department: 'Final assembly and testing, hall 3',
        });
      await route.fulfill({ response: answer, json: report });
    });
    // A4 across, less the margins of the page.
    await page.setViewportSize({ width: Math.floor(((297 - 24) / 25.4) * 96), height: 700 });
    await page.goto('/attendance/month');
    await page.locator('table.sums tbody tr').first().waitFor();
    await page.emulateMedia({ media: 'print' });
    const outside = await page.evaluate(`[...document.querySelectorAll('table.sums th, table.sums td')]
      .filter(cell => cell.getBoundingClientRect().right > innerWidth + 1 || cell.scrollWidth > cell.clientWidth + 1)
      .map(cell => cell.textContent)`);
    expect(outside).toEqual([]);
    await page.context().close();
  });

  suiteNeeding('pdftotext', 'poppler-utils', 'as a PDF', () => {
    test.each([
      ['people', '/people', 'main table tbody tr', /^\s*Name .*\bNumber\b/m],
      ['the month', '/attendance/month?show=all', 'table.sums tbody tr', /^\s*Employee .*\bHours\b/m],
    ])(
      '%s: every sheet has its number and the heading of the list, and everybody is on one',
      async (_name, path, rows, heading) => {
        const page = await signedIn(browser, box);
        await page.goto(path);
        await page.locator(rows).first().waitFor();
        await page.getByRole('button', { name: 'Print', exact: true }).click();
        await page.locator('body[data-printed]').waitFor();
        const file = join(dataDir, 'printed.pdf');
        await writeFile(file, await page.pdf({ format: 'A4', preferCSSPageSize: true }));
        const { stdout } = await promisify(execFile)('pdftotext', ['-layout', file, '-'], { maxBuffer: 1 << 26 });
        const sheets = stdout.split('\f').slice(0, -1);
        expect(sheets.length).toBeGreaterThan(1);
        for (const [index, sheet] of sheets.entries()) {
          expect(sheet.trimEnd().split('\n').at(-1)!.replaceAll(' ', '')).toBe(`${index + 1}/${sheets.length}`);
          expect(sheet).toMatch(heading);
        }
        const numbers = stdout.match(/(?<![\d:-])1[0-2]\d\d(?![\d:-])/g) ?? [];
        expect(numbers).toEqual(Array.from({ length: 200 }, (_, index) => String(1001 + index)));
        await page.context().close();
      },
    );
  });
});

/** Asked by the page, as who is signed in. */
const askAs = <T = unknown>(page: Page, method: string, path: string, body?: object): Promise<T> =>
  page.evaluate<T>(
    `fetch('/admin/v1${path}', ${JSON.stringify({
      method,
      ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
    })}).then(answer => answer.text()).then(text => text === '' ? null : JSON.parse(text))`,
  );

/** A page that notes on its body that it would have printed. */
async function signedIn(browser: TestBrowser, box: BoxProcess): Promise<Page> {
  const page = await browser.page(urlOf(box));
  await page.addInitScript(
    `window.print = () => { dispatchEvent(new Event('beforeprint')); document.body.dataset.printed = ''; };`,
  );
  await page.goto('/');
  await enterAs('mei', page);
  await page.locator('.path .station').first().waitFor();
  return page;
}

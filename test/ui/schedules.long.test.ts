import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, mondayOf } from '../../src/runtime/calendar-date.ts';
import { axeFindings } from '../support/axe.ts';
import { type Look, patient, suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { aUiBox, enterAs, urlOf } from '../support/ui-box.ts';

const signIn = async (page: Page, name: string, path: string): Promise<void> => {
  await page.goto(path);
  await enterAs(name, page);
  await page.getByRole('navigation').first().waitFor();
};

/** A site that has planned already. */
const planned = {
  shifts: [
    { code: 'day', name: 'Day', times: ['09:00-18:00'], breaks: ['12:00-13:00'], late_grace: 5, early_grace: 5 },
    { code: 'night', name: 'Night', times: ['22:00-06:00'] },
    { code: 'split', name: 'Canteen', times: ['06:00-10:00', '11:00-14:00'] },
  ],
  schedules: [
    { who: 'site', shift: 'day', from: '2026-01-05' },
    { who: { department: 'd1' }, cycle: ['night', 'night', 'off', 'off'], from: '2026-01-05' },
    { who: { person: 'e1' }, week: ['split', 'split', 'split', 'off', 'split', 'off', 'off'], from: '2026-01-05' },
  ],
  calendar: [
    { date: '2026-10-09', what: 'rest', reason: 'Stocktaking' },
    { date: '2026-10-11', who: { person: 'e1' }, what: { shift: 'day' } },
  ],
};

const looks: readonly (Look & { readonly name: string })[] = [
  { name: 'English, 1280 px', width: 1280 },
  { name: 'Chinese, 390 px', width: 390, locale: 'zh-CN' },
];

/** A button in the row of Wu Tao, which a phone has in the menu of the row. */
async function pressOfWuTao(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('button', { name: /^(More for Wu Tao|Wu Tao 的更多操作)$/ });
  const button = page.getByRole('button', { name });
  await menu.or(button).first().waitFor();
  if (!(await button.isVisible())) await menu.click();
  await button.click();
}

suiteWithBrowser('schedules', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  test('a clerk adds a night shift, plans a department for it, and takes a day off the calendar', async () => {
    await using box = await aUiBox();
    const page = await browser.page(urlOf(box));
    await signIn(page, 'wang', '/schedules');
    await page.locator('.sentence', { hasText: /^No shifts yet/ }).waitFor();
    await page.getByRole('button', { name: 'Add shift' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Night');
    await page.getByLabel('Code').fill('night');
    await page.getByLabel('Start', { exact: true }).fill('22:00');
    await page.getByLabel('End', { exact: true }).fill('06:00');
    await page.getByRole('button', { name: 'Save' }).click();
    // The break of a day is not one of the night.
    await page.getByText('breaks[0] 12:00–13:00 is outside the shift').waitFor();
    await page.getByLabel('Break from').fill('');
    await page.getByLabel('Break to').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('22:00–06:00 (next day)').waitFor();
    await page.getByRole('link', { name: 'Assignments' }).first().click();
    await page.getByRole('button', { name: 'Add assignment' }).click();
    await page.getByLabel('Applies to').selectOption('department');
    await page.locator('select[name=department]').selectOption('d1');
    await page.getByLabel('Fri').selectOption('');
    const lastMonday = mondayOf(addDays(new Date().toISOString().slice(0, 10), -7));
    await page.locator('input[name=from]').fill(lastMonday);
    await page.getByRole('button', { name: 'Save' }).click();
    // It reaches into the past: what it changes is said first.
    await page.getByText(/^Changes \d+ past days of 20 employees .* Save again to confirm\.$/).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    const roster = page.getByRole('row').filter({ hasText: 'Assembly' });
    await roster.waitFor();
    expect((await roster.locator('.cycle li').allInnerTexts()).map(text => text.replace(/\s+/, ' '))).toEqual([
      ...['Mon Night', 'Tue Night', 'Wed Night', 'Thu Night', 'Fri off', 'Sat off', 'Sun off'],
    ]);
    await page.goto('/schedules/calendar?month=2026-10');
    await page.getByRole('button', { name: 'Edit 2026-10-09' }).click();
    await page.locator('select[name=kind]').selectOption('rest');
    await page.getByLabel('Reason').fill('Stocktaking');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.sentence', { hasText: 'October 2026 · 1 day differs from the national calendar' }).waitFor();
    expect(page.foreign).toEqual([]);
  });

  test('who has left is listed apart, and is taken off the terminals; leave is entered and withdrawn', async () => {
    await using box = await aUiBox();
    const page = await browser.page(urlOf(box));
    await signIn(page, 'wang', '/people');
    const row = page.getByRole('row').filter({ hasText: '1003' });
    await row.getByRole('button', { name: /^Offboard / }).click();
    const name = (await page.locator('dialog h1').textContent())!.replace('Offboard ', '');
    await page.getByLabel('Last day').fill('2026-01-31');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`${name}: last day 2026-01-31`).waitFor();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Status' }).selectOption('no more');
    await row.waitFor();
    await page.goto('/schedules/leave?month=2026-11');
    await page.getByText('No leave').waitFor();
    await page.getByRole('button', { name: 'Add leave' }).click();
    await page.getByLabel('Search by name or number').fill('1002');
    await expect
      .poll(() => page.locator('select[name=person] option').allInnerTexts(), patient)
      .toEqual([expect.stringMatching(/ · 1002$/)]);
    await page.getByLabel('First day').fill('2026-11-16');
    await page.getByLabel('Last day').fill('2026-11-17');
    await page.locator('select[name=kind]').selectOption('sick');
    await page.getByRole('button', { name: 'Save' }).click();
    const leave = page.getByRole('row').filter({ hasText: 'sick leave' });
    await leave.getByText('2026-11-18 00:00').waitFor();
    await leave.getByRole('button', { name: 'Withdraw' }).click();
    await leave.getByText('withdrawn').waitFor();
  });

  test.each(looks)(
    'who is back keeps the employment before, which is put right in the same place: $name',
    async look => {
      const inChinese = look.locale === 'zh-CN';
      const say = (english: string, chinese: string) => (inChinese ? chinese : english);
      await using box = await aUiBox(
        {},
        {
          employees: [
            { ext_id: 'e1', name: 'Wu Tao', department: { ext_id: 'd1' }, from: '2024-01-10', to: '2025-06-30' },
          ],
        },
      );
      const page = await browser.page(urlOf(box), look);
      await signIn(page, 'wang', '/people?employed=no%20more');
      const save = page.getByRole('button', { name: say('Save', '保存') });
      const dialog = page.locator('dialog[open]');
      const inDialog = async () => {
        await dialog.locator('input[name=to]').waitFor();
        return axeFindings(page);
      };
      await pressOfWuTao(page, say('Rehire Wu Tao', '再次入职：Wu Tao'));
      expect(await inDialog()).toEqual([]);
      const back = dialog.locator('input[name=back]');
      await back.fill('2025-06-30');
      await save.click();
      await page
        .getByText(say('begins on 2025-06-30, before the previous employment ends', '上一段在职到 2025-06-30 才结束'))
        .waitFor();
      await back.fill('2025-11-03');
      await save.click();
      await page.getByText(say('Wu Tao rehired from 2025-11-03', 'Wu Tao 自 2025-11-03 起再次入职')).waitFor();
      await page.goto('/people');
      await pressOfWuTao(page, say('Offboard Wu Tao', '办理离职：Wu Tao'));
      await page.getByText(say('Earlier employment', '以往在职'), { exact: true }).click();
      expect(await inDialog()).toEqual([]);
      await page.locator('input[name="from 0"]').fill('2024-01-15');
      await dialog.locator('input[name=to]').fill('');
      await save.click();
      await page.getByText(say('Wu Tao is active again', 'Wu Tao 已恢复在职')).waitFor();
      expect(await (await page.request.get('/admin/v1/people/e1/employment')).json()).toEqual({
        ...{ from: '2025-11-03', to: null, earlier: [{ from: '2024-01-15', to: '2025-06-30' }] },
      });
      expect(page.foreign).toEqual([]);
    },
  );

  test('leave is entered and ended on the page of a person', async () => {
    await using box = await aUiBox({}, planned);
    const page = await browser.page(urlOf(box));
    await signIn(page, 'wang', '/attendance/person/e1');
    const today = await page.getByLabel('Month', { exact: true }).inputValue();
    await page.getByRole('button', { name: 'Add leave' }).click();
    await page.getByLabel('Last day').fill(`${Number(today.slice(0, 4)) + 1}-01-15`);
    await page.locator('select[name=kind]').selectOption('sick');
    await page.getByRole('button', { name: 'Save' }).click();
    const leave = page.getByRole('row').filter({ hasText: 'sick leave' });
    await leave.getByRole('button', { name: 'End today' }).click();
    await leave.getByRole('button', { name: 'End today' }).waitFor({ state: 'detached' });
    await leave.getByText(today).first().waitFor();
    expect(page.foreign).toEqual([]);
  });

  test('a day of the plan is changed in the grid, and undone', async () => {
    await using box = await aUiBox({}, planned);
    const page = await browser.page(urlOf(box));
    await signIn(page, 'wang', '/schedules/plan?from=2026-11-16');
    await page.locator('.sentence', { hasText: /^Roster · week of November 16, 2026/ }).waitFor();
    const table = page.getByRole('table', { name: /^Roster/ });
    const cell = table.getByRole('button', { name: /, November 17, 2026: / }).first();
    const before = (await cell.getAttribute('aria-label'))!;
    await cell.click();
    await page.locator('select[name=what]').selectOption('shift night');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/November 17, 2026: shift night/).waitFor();
    await expect.poll(() => cell.getAttribute('aria-label'), patient).toMatch(/: Night, this employee only$/);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => cell.getAttribute('aria-label'), patient).toBe(before);
    await page.getByLabel('View').selectOption('month');
    await page.locator('.sentence', { hasText: 'Roster · November 2026' }).waitFor();
    await expect.poll(() => table.locator('thead th').count(), patient).toBe(31);
    expect(page.foreign).toEqual([]);
  });

  test('a month of people by days is imported, with what is wrong first', async () => {
    await using box = await aUiBox({}, planned);
    const page = await browser.page(urlOf(box));
    await signIn(page, 'wang', '/schedules/rosters');
    await page.getByRole('link', { name: 'Import' }).click();
    await page.getByLabel('Month', { exact: true }).fill('2026-12');
    const choose = (text: string) =>
      page
        .getByLabel('XLSX or CSV file')
        .setInputFiles({ name: 'month.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await choose('person,1,2\ne1,nihgt,off\n');
    await page.getByText('1 error. Nothing was imported.').waitFor();
    await page.getByRole('cell', { name: 'nihgt' }).waitFor();
    await choose('person,1,2\ne1,Night,off\n');
    await page.getByText('2 to add, 0 to change, 0 unchanged.').waitFor();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByText('Imported: 2 added, 0 changed, 0 unchanged.').waitFor();
    await page.goto('/schedules/plan?from=2026-12-01');
    await page.getByRole('button', { name: /December 1, 2026: Night, this employee only$/ }).waitFor();
    expect(page.foreign).toEqual([]);
  });

  test.each(looks)('in $name axe finds nothing, and nothing goes sideways', async look => {
    await using box = await aUiBox({}, planned);
    const page = await browser.page(urlOf(box), look);
    await signIn(page, 'mei', '/schedules');
    const findings: string[] = [];
    for (const path of [
      ...['/schedules', '/schedules/rosters', '/schedules/calendar?month=2026-10', '/schedules/leave'],
      '/schedules/plan?from=2026-11-16',
    ]) {
      await page.goto(path);
      await page.locator('nav.tabs').waitFor();
      await page.locator('main [role=status]:text-matches("Loading|正在加载")').first().waitFor({ state: 'detached' });
      const wide = await page.locator('html').evaluate(html => html.scrollWidth - html.clientWidth);
      if (wide > 0) findings.push(`${path}: ${wide} px wider than the screen`);
      findings.push(...(await axeFindings(page)).map(one => `${path}: ${one}`));
      const shots = process.env.SHOTS;
      const file = `${path.replaceAll(/\W+/g, '-')}-${look.width}`;
      if (shots) await page.screenshot({ path: `${shots}/${file}.png`, fullPage: true });
      const button = page.locator('main button.go, main button.day, main button.cell').first();
      await button.click();
      await page.locator('dialog[open]').waitFor();
      if (shots) await page.screenshot({ path: `${shots}/${file}-dialog.png`, fullPage: true });
      findings.push(...(await axeFindings(page)).map(one => `${path}, dialog: ${one}`));
    }
    expect(findings).toEqual([]);
    expect(page.foreign).toEqual([]);
  });

  test.each(looks)(
    'who moves to another department keeps the days before, and they are counted first: $name',
    async look => {
      const inChinese = look.locale === 'zh-CN';
      const say = (english: string, chinese: string) => (inChinese ? chinese : english);
      const employees = [{ ext_id: 'e1', name: 'Wu Tao', department: { ext_id: 'd1' } }];
      const { shifts } = planned;
      const schedules = [{ who: { department: 'd1' }, cycle: ['night'], from: '2026-01-05' }];
      await using box = await aUiBox({}, { employees, shifts, schedules });
      const page = await browser.page(urlOf(box), look);
      await signIn(page, 'wang', '/people');
      await pressOfWuTao(page, say('Edit Wu Tao', '修改 Wu Tao'));
      const dialog = page.locator('dialog[open]');
      await dialog.locator('select[name=department]').selectOption('0');
      const since = addDays(new Date().toISOString().slice(0, 10), -7);
      await dialog.locator('input[name=since]').fill(since);
      const save = dialog.getByRole('button', { name: say('Save', '保存') });
      await save.click();
      await dialog.getByRole('status').getByText(say('days', '天')).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await save.click();
      await dialog.waitFor({ state: 'detached' });
      const address = `/admin/v1/attendance/results?from=${addDays(since, -1)}&to=${since}`;
      expect((await (await page.request.get(address)).json()).rows).toMatchObject([
        { department: 'Assembly', days: [{ shift: 'night' }] },
        { department: 'Plant 4', days: [{ shift: null }] },
      ]);
    },
  );
});

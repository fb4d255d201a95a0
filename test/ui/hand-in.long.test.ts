import { readFile } from 'node:fs/promises';
import { readXlsx } from 'hucre/xlsx';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '../../src/runtime/calendar-date.ts';
import { axeFindings } from '../support/axe.ts';
import { patient, suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import type { BoxProcess } from '../support/program.ts';
import { HttpTerminal } from '../support/terminal.ts';
import { adminPassword, aUiBox, urlOf } from '../support/ui-box.ts';

/** A month without holidays. */
const month = '2026-03';
const workdays = Array.from({ length: 31 }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`).filter(
  day => ![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay()),
);

const employee = (extId: string, name: string, department: string) => ({
  ...{ ext_id: extId, name, mobile: '', employee_num: `00${extId.slice(1)}` },
  department: { ext_id: department },
});
const site = {
  departments: [
    { ext_id: '0', name: 'Plant 4' },
    { ext_id: 'd1', name: 'Assembly', p_ext_id: '0' },
    { ext_id: 'd2', name: 'Paint shop', p_ext_id: '0' },
  ],
  employees: [employee('e1', 'Li Mei', 'd1'), employee('e2', 'Wang Fang', 'd1'), employee('e3', 'Chen Jie', 'd2')],
  shifts: [{ code: 'day', name: 'Day', times: ['09:00-18:00'], breaks: ['12:00-13:00'] }],
  schedules: [{ who: 'site', shift: 'day', from: '2026-01-01' }],
};

/** `2026-10`: the month before this one, which Today offers to close. */
const monthBefore = (): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
};

/** Check-ins of people, at times such as `2026-10-12T08:52`. */
async function punched(box: BoxProcess, times: Readonly<Record<string, readonly string[]>>, offset: string) {
  const ca = await box.ask('trust', 'export', '--edition', 'slim');
  const terminal = new HttpTerminal({ deviceId: 'FACE-T1_A0001', key: 'key-of-the-product' }, urlOf(box), ca);
  try {
    await terminal.connect();
    for (const [extId, moments] of Object.entries(times)) {
      const records = moments.map(moment => ({
        ...{ ext_id: extId, check_type: 'fa' },
        check_time: Date.parse(`${moment}:00${offset}`) / 1000,
      }));
      const message = { mid: extId, from: terminal.deviceId, to: 'system', time: 0, action: 2001, data: { records } };
      const path = `/api/push/${terminal.deviceId}`;
      const answer = await terminal.ask(path, { method: 'POST', body: JSON.stringify(message) });
      expect(JSON.parse(answer.body).code).toBe(0);
    }
  } finally {
    terminal.end();
  }
}

/** Everybody came each workday; Li Mei forgot to check out on the 16th, Wang Fang in on the 17th. */
async function report(box: BoxProcess): Promise<void> {
  const forgotten = ['e1 2026-03-16T18:03', 'e2 2026-03-17T08:52'];
  const of = (extId: string): string[] =>
    workdays
      .flatMap(day => [`${day}T08:52`, `${day}T18:03`])
      .filter(moment => !forgotten.includes(`${extId} ${moment}`));
  await punched(box, { e1: of('e1'), e2: of('e2'), e3: of('e3') }, '+08:00');
}

const words = {
  'en-US': {
    ...{ name: 'Name', password: 'Password', signIn: 'Sign in', attendance: 'Attendance', month: 'Month' },
    ...{ department: 'Department', sums: 'Attendance in March 2026 by employee', reason: 'Reason', add: 'Add' },
    ...{ out: 'Li Mei, March 16, 2026: missing out', in: 'Wang Fang, March 17, 2026: missing in' },
    ...{ open: /2 people need review/, done: /nothing to review/ },
    ...{ export: 'Export payroll (Excel)', sheet: 'Li Mei · March 2026' },
    ...{ toClose: /ready to close/, late: 'Late (1)', review: 'Needs review (1)', close: /^Close / },
    ...{ everybody: 'All employees (3)', calendar: 'Calendar of Chen Jie', closed: / · closed$/ },
    ...{
      missing: /^Li Mei, .*: missing out$/,
      isLate: /^Wang Fang, .*: 60 min late$/,
      fine: /^Chen Jie, .*: on time$/,
    },
  },
  'zh-CN': {
    ...{ name: '用户名', password: '密码', signIn: '登录', attendance: '考勤', month: '考勤月报' },
    ...{ department: '部门', sums: '2026年3月每人汇总', reason: '原因', add: '补卡' },
    ...{ out: 'Li Mei，2026年3月16日：下班缺卡', in: 'Wang Fang，2026年3月17日：上班缺卡' },
    ...{ open: /2 人考勤异常，待处理/, done: /无异常/ },
    ...{ export: '导出月度汇总（Excel）', sheet: 'Li Mei · 2026年3月考勤' },
    ...{ toClose: /待封账|待封存/, late: '迟到（1）', review: '待处理（1）', close: /^封存/ },
    ...{ everybody: '全部人员（3）', calendar: 'Chen Jie的日历', closed: / · 已封存$/ },
    ...{ missing: /^Li Mei，.*：下班缺卡$/, isLate: /^Wang Fang，.*：迟到 60 分钟$/, fine: /^Chen Jie，.*：正常$/ },
  },
} as const;

suiteWithBrowser('the month is handed in', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  test.each([
    ['en-US', 1280],
    ['zh-CN', 1280],
    ['en-US', 768],
    ['zh-CN', 390],
  ] as const)('of a department, with two corrections, in under ten clicks: %s, %d wide', async (locale, width) => {
    await using box = await aUiBox({}, site);
    await report(box);
    const page = await browser.page(urlOf(box), { locale, width });
    const text = words[locale];
    await page.goto('/');
    await page.getByLabel(text.name).fill('wang');
    await page.getByLabel(text.password).fill(adminPassword);
    await page.getByRole('button', { name: text.signIn }).click();

    let clicks = 0;
    const click = async (what: Locator) => {
      clicks++;
      await what.click();
    };
    await click(page.getByRole('link', { name: text.attendance, exact: true }));
    await click(page.getByRole('link', { name: text.month, exact: true }));
    // It opens at the month that runs; the clerk has a link to the one that is closed.
    await page.goto(`/attendance/month?month=${month}`);
    clicks++;
    const department = page.getByLabel(text.department);
    await department.locator('option[value=d1]').waitFor({ state: 'attached' });
    clicks++;
    await department.selectOption('d1');
    const sums = page.getByRole('table', { name: text.sums });
    await page.locator('.sentence', { hasText: text.open }).waitFor();
    await sums.getByText('Chen Jie').waitFor({ state: 'detached' });
    expect(await axeFindings(page)).toEqual([]);
    // Nothing is wider than the screen.
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);

    const dialog = page.getByRole('dialog');
    for (const [mark, why] of [
      [text.out, 'forgot'],
      [text.in, 'the terminal was down'],
    ] as const) {
      await click(page.getByRole('button', { name: mark }));
      // The time is that of the plan.
      await dialog.getByLabel(text.reason).fill(why);
      if (why === 'forgot') expect(await axeFindings(page)).toEqual([]);
      await click(dialog.getByRole('button', { name: text.add, exact: true }));
      await dialog.waitFor({ state: 'detached' });
    }
    await page.locator('.sentence', { hasText: text.done }).waitFor();
    const waiting = page.waitForEvent('download');
    await click(page.getByRole('link', { name: text.export }));
    const download = await waiting;
    expect(clicks).toBeLessThan(10);

    const book = await readXlsx(await readFile(await download.path()));
    const [summary, punches, about] = book.sheets.map(sheet => sheet.rows as unknown[][]);
    const row = (name: string) =>
      Object.fromEntries(summary![0]!.map((header, index) => [header, summary!.find(one => one[1] === name)?.[index]]));
    expect(summary!.map(one => one[1])).toEqual(['Name', 'Li Mei', 'Wang Fang']);
    expect(row('Li Mei')).toMatchObject({
      ...{ 'Employee number': '001', 'Days scheduled': 22, 'Days worked': 22, 'Worked (min)': 22 * 480 },
      ...{ 'Missing out': 0, Corrections: 1, 'Late (min)': 0 },
    });
    expect(punches!.slice(1)).toHaveLength(2 * 44);
    const added = punches!.find(one => one[3] === '2026-03-16' && one.includes('added'))!;
    expect(added.slice(0, 3)).toEqual(['001', 'Li Mei', 'Assembly']);
    expect(added).toContain('2026-03-16 18:00:00');
    expect(added).toContain('forgot');
    expect(Object.fromEntries(about as [string, unknown][])).toMatchObject({
      ...{ Month: month, 'Created by': 'wang', 'Corrections in effect': 2, State: 'not closed' },
      ...{ 'Time zone': 'Asia/Shanghai' },
    });
    await page.goto(`/attendance/person/e1?month=${month}`);
    await page.locator('.sentence', { hasText: text.sheet }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });

  test.each([
    ['en-US', 1280],
    ['zh-CN', 390],
  ] as const)(
    'reviewed with filters, and closed, in at most eight clicks from Today: %s, %d wide',
    async (locale, width) => {
      const last = monthBefore();
      const days = [`${last}-12`, `${last}-13`] as const;
      // A shift on two days alone, in a zone without holidays.
      await using box = await aUiBox(
        { site: { timezone: 'UTC' } },
        { ...site, schedules: [{ who: 'site', cycle: ['day'], from: days[0], to: days[1] }] },
      );
      // Today offers to close the next month once one is closed.
      await box.ask('attendance', 'close', addDays(`${last}-01`, -1).slice(0, 7));
      const onTime = days.flatMap(day => [`${day}T08:52`, `${day}T18:03`]);
      await punched(box, { e1: onTime.slice(0, -1), e2: [`${days[0]}T10:00`, ...onTime.slice(1)], e3: onTime }, 'Z');
      const page = await browser.page(urlOf(box), { locale, width });
      const text = words[locale];
      await page.goto('/');
      await page.getByLabel(text.name).fill('wang');
      await page.getByLabel(text.password).fill(adminPassword);
      await page.getByRole('button', { name: text.signIn }).click();
      let clicks = 0;
      const click = async (what: Locator) => {
        clicks++;
        await what.click();
      };
      await click(page.getByRole('link', { name: text.toClose }));
      const people = page.locator('table.sums tbody th');
      const mark = (name: RegExp) => page.getByRole('button', { name });
      // The month opens on who needs review.
      await page.getByRole('button', { name: text.review, pressed: true }).waitFor();
      await mark(text.missing).waitFor();
      expect(await people.count()).toBe(1);
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await picture(page, `month-review-${locale}-${width}`);
      await click(page.getByRole('button', { name: text.late }));
      await mark(text.isLate).waitFor();
      await mark(text.missing).waitFor({ state: 'detached' });
      await click(page.getByRole('button', { name: text.review }));
      await click(mark(text.missing));
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(text.reason).fill('forgot');
      await click(dialog.getByRole('button', { name: text.add, exact: true }));
      await page.locator('.sentence', { hasText: text.done }).waitFor();
      // Nobody is left to review, so that everybody is shown, and every day is a button.
      await page.getByRole('button', { name: text.everybody, pressed: true }).waitFor();
      await expect.poll(() => people.count(), patient).toBe(3);
      if (width < 760) await page.getByRole('button', { name: text.calendar }).click();
      const row = page.locator('table.sums tbody tr', { hasText: 'Chen Jie' });
      const named = await row
        .locator('td.day button')
        .evaluateAll(all => all.map(one => one.getAttribute('aria-label')));
      expect(named.length).toBeGreaterThanOrEqual(28);
      expect(named.filter(name => text.fine.test(name ?? ''))).toHaveLength(2);
      expect(named.every(name => name?.startsWith('Chen Jie'))).toBe(true);
      await mark(text.fine).first().focus();
      await page.keyboard.press('ArrowRight');
      expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toMatch(text.fine);
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, `month-all-${locale}-${width}`);
      await click(page.getByRole('button', { name: text.close }));
      await click(dialog.getByRole('button', { name: text.close }));
      await page.locator('.sentence', { hasText: text.closed }).waitFor();
      expect(clicks).toBeLessThanOrEqual(8);
      expect(await page.locator('.sentence svg').count()).toBe(1);
      expect(await page.getByRole('button', { name: text.close }).count()).toBe(0);
      expect(await page.getByRole('button', { name: text.review }).count()).toBe(0);
      await picture(page, `month-closed-${locale}-${width}`);
    },
  );
});

const picture = async (page: Page, name: string) => {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png` });
};

import { readFile } from 'node:fs/promises';
import { readXlsx } from 'hucre/xlsx';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
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

/** Everybody came each workday; Li Mei forgot to check out on the 16th, Wang Fang in on the 17th. */
async function report(box: BoxProcess): Promise<void> {
  const ca = await box.ask('trust', 'export', '--edition', 'slim');
  const terminal = new HttpTerminal({ deviceId: 'FACE-T1_A0001', key: 'key-of-the-product' }, urlOf(box), ca);
  try {
    await terminal.connect();
    for (const extId of ['e1', 'e2', 'e3']) {
      const records = workdays.flatMap(day =>
        ['08:52', '18:03']
          .filter(time => `${extId} ${day} ${time}` !== 'e1 2026-03-16 18:03')
          .filter(time => `${extId} ${day} ${time}` !== 'e2 2026-03-17 08:52')
          .map(time => ({
            ...{ ext_id: extId, check_type: 'fa' },
            check_time: Date.parse(`${day}T${time}:00+08:00`) / 1000,
          })),
      );
      const message = { mid: extId, from: terminal.deviceId, to: 'system', time: 0, action: 2001, data: { records } };
      const path = `/api/push/${terminal.deviceId}`;
      const answer = await terminal.ask(path, { method: 'POST', body: JSON.stringify(message) });
      expect(JSON.parse(answer.body).code).toBe(0);
    }
  } finally {
    terminal.end();
  }
}

const words = {
  'en-US': {
    ...{ name: 'Name', password: 'Password', signIn: 'Sign in', attendance: 'Attendance', month: 'Month' },
    ...{ department: 'Department', sums: 'Attendance in March 2026 by employee', reason: 'Reason', add: 'Add' },
    ...{ out: 'March 16, 2026: missing out', in: 'March 17, 2026: missing in' },
    ...{ open: /2 people need review/, done: /nothing to review/ },
    ...{ export: 'Export payroll (Excel)', sheet: 'Li Mei · March 2026' },
  },
  'zh-CN': {
    ...{ name: '用户名', password: '密码', signIn: '登录', attendance: '考勤', month: '考勤月报' },
    ...{ department: '部门', sums: '2026年3月每人汇总', reason: '原因', add: '补卡' },
    ...{ out: '2026年3月16日：下班缺卡', in: '2026年3月17日：上班缺卡' },
    ...{ open: /2 人考勤异常，待处理/, done: /无异常/ },
    ...{ export: '导出月度汇总（Excel）', sheet: 'Li Mei · 2026年3月考勤' },
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
      ...{ Month: month, 'Made by': 'wang', 'Corrections in effect': 2, State: 'not closed' },
      ...{ 'Time zone': 'Asia/Shanghai' },
    });
    await page.goto(`/attendance/person/e1?month=${month}`);
    await page.locator('.sentence', { hasText: text.sheet }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });
});

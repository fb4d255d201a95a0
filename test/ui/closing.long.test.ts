import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { adminPassword, aUiBox, urlOf } from '../support/ui-box.ts';

const site = {
  departments: [{ ext_id: '0', name: 'Plant 4' }],
  employees: [
    { ext_id: 'e1', name: 'Li Mei', mobile: '', employee_num: '001', department: { ext_id: '0' } },
    { ext_id: 'e2', name: 'Wang Fang', mobile: '', employee_num: '002', department: { ext_id: '0' } },
  ],
  shifts: [{ code: 'day', name: 'Day', times: ['09:00-18:00'] }],
  schedules: [{ who: 'site', shift: 'day', from: '2026-01-01' }],
};

const words = {
  'en-US': {
    ...{ name: 'Name', password: 'Password', signIn: 'Sign in', close: /^Close \w+ \d{4}$/ },
    ...{ closed: /Closed: all employees, revision 1/, verify: 'Verify', holds: /Hash verified/ },
    ...{ reopen: 'Reopen…', reopenGo: 'Reopen', reason: 'Reason', past: '2026-03' },
    ...{ title: /March 2026 · closed/, review: /March 2026 · 2 people need review/, absences: /44 absences: / },
  },
  'zh-CN': {
    ...{ name: '用户名', password: '密码', signIn: '登录', close: /^封存\d{4}年\d+月考勤$/ },
    ...{ closed: /已封存：全部人员，第 1 版/, verify: '校验数据', holds: /校验通过/ },
    ...{ reopen: '解除封存…', reopenGo: '解除封存', reason: '原因', past: '2026-03' },
    ...{ title: /2026年3月考勤 · 已封存/, review: /2026年3月考勤 · 2 人考勤异常，待处理/, absences: /旷工 44 天/ },
  },
} as const;

const forced = {
  'en-US': {
    ...{ inTheWay: 'Unsettled:', notOver: /workdays have not ended yet/, anyway: 'Close anyway' },
    ...{ why: /Reason for closing early/, forced: /Closed early: payroll is due/ },
  },
  'zh-CN': {
    ...{ inTheWay: '待处理事项：', notOver: /个工作日未到/, anyway: '强制封存' },
    ...{ why: /强制封存原因/, forced: /强制封存原因：payroll is due/ },
  },
} as const;

const underWay = {
  'en-US': {
    ...{ underWay: 'Closing all employees, requested by mei.', written: '1 of 2 people' },
    refused: /^Not closed: all employees, requested by mei\. .* 1 correction awaits approval$/,
  },
  'zh-CN': {
    ...{ underWay: '正在封存：全部人员，申请人 mei。', written: '已完成 1 / 2 人' },
    refused: /^未封存：全部人员，申请人 mei。.*1 条考勤调整待审批$/,
  },
} as const;

suiteWithBrowser('a month is closed', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  test.each([
    ['en-US', 1280],
    ['zh-CN', 390],
  ] as const)('verified, and opened again: %s, %d wide', async (locale, width) => {
    await using box = await aUiBox({}, site);
    const page = await browser.page(urlOf(box), { locale, width });
    const text = words[locale];
    await page.goto('/');
    await page.getByLabel(text.name).fill('wang');
    await page.getByLabel(text.password).fill(adminPassword);
    await page.getByRole('button', { name: text.signIn }).click();
    await page.getByLabel(text.password).waitFor({ state: 'detached' });
    await page.goto(`/attendance/month?month=${text.past}`);
    const dialog = page.getByRole('dialog');
    await page.locator('.sentence', { hasText: text.review }).waitFor();
    await page.getByRole('button', { name: text.close }).click();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: text.close }).click();
    // Nobody came in March: the absences are seen, and the month is closed with them.
    const listed = dialog.getByRole('alert').getByRole('listitem');
    await listed.filter({ hasText: text.absences }).waitFor();
    await dialog.getByRole('button', { name: forced[locale].anyway, exact: true }).click();
    await page.getByText(text.closed).waitFor();
    await page.locator('.sentence', { hasText: text.title }).waitFor();
    await page.getByRole('button', { name: text.verify }).click();
    await page.getByText(text.holds).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.getByRole('button', { name: text.close }).count()).toBe(0);
    expect(await page.locator('.sentence', { hasText: text.review }).count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: text.reopen }).click();
    await dialog.getByLabel(text.reason).fill('a terminal was offline');
    await dialog.getByRole('button', { name: text.reopenGo, exact: true }).click();
    await page.getByText(text.closed).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: text.close }).waitFor();
    await page.locator('.sentence', { hasText: text.review }).waitFor();
  });

  test.each([
    ['en-US', 1280],
    ['zh-CN', 390],
  ] as const)('by force, with the reason, although its days are not over: %s, %d wide', async (locale, width) => {
    await using box = await aUiBox({}, site);
    const page = await browser.page(urlOf(box), { locale, width });
    const text = words[locale];
    const said = forced[locale];
    await page.goto('/');
    await page.getByLabel(text.name).fill('wang');
    await page.getByLabel(text.password).fill(adminPassword);
    await page.getByRole('button', { name: text.signIn }).click();
    await page.getByLabel(text.password).waitFor({ state: 'detached' });
    // The month of today is not over: its days are in the way.
    await page.goto('/attendance/month');
    await page.getByRole('button', { name: text.close }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: text.close }).click();
    await dialog.getByRole('alert').getByText(said.inTheWay).waitFor();
    expect(await dialog.getByRole('alert').getByRole('listitem').allTextContents()).toContainEqual(
      expect.stringMatching(said.notOver),
    );
    expect(await axeFindings(page)).toEqual([]);
    // Without a reason nothing is closed.
    await dialog.getByRole('button', { name: said.anyway, exact: true }).click();
    await dialog.locator('input:invalid').waitFor();
    await dialog.getByLabel(said.why).fill('payroll is due');
    await dialog.getByRole('button', { name: said.anyway, exact: true }).click();
    await page.getByText(text.closed).waitFor();
    await page.getByText(said.forced).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test.each([
    ['en-US', 1280],
    ['zh-CN', 390],
  ] as const)('its progress is shown to whoever opens the page: %s, %d wide', async (locale, width) => {
    await using box = await aUiBox({}, site);
    const page = await browser.page(urlOf(box), { locale, width });
    const text = words[locale];
    const said = underWay[locale];
    await page.goto('/');
    await page.getByLabel(text.name).fill('wang');
    await page.getByLabel(text.password).fill(adminPassword);
    await page.getByRole('button', { name: text.signIn }).click();
    await page.getByLabel(text.password).waitFor({ state: 'detached' });
    const draft = { month: text.past, scope: null, revision: 1, asked_by: 'mei', people: 2, done: 1 };
    let refused: object | null = null;
    await page.route('**/attendance/closings?*', route =>
      route.fulfill({ json: { second_person: false, rows: [], unfinished: [{ ...draft, refused }] } }),
    );
    await page.goto(`/attendance/month?month=${text.past}`);
    await page.getByText(said.underWay).waitFor();
    await page.getByText(said.written).waitFor();
    const bar = page.getByRole('progressbar');
    expect([await bar.getAttribute('value'), await bar.getAttribute('max')]).toEqual(['1', '2']);
    expect(await axeFindings(page)).toEqual([]);
    refused = { why: 'in_the_way', in_the_way: [{ what: 'corrections', count: 1 }] };
    await page.getByText(said.refused).waitFor();
    expect(await bar.count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });
});

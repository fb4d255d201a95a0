import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { realClock } from '../../src/runtime/real-world.ts';
import { dayOf } from '../../src/runtime/wall-time.ts';
import { axeFindings } from '../support/axe.ts';
import { patient, suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { pressByKey, walkTo } from '../support/keys.ts';
import type { BoxProcess } from '../support/program.ts';
import { HttpTerminal } from '../support/terminal.ts';
import { adminPassword, aUiBox, urlOf } from '../support/ui-box.ts';
import { afternoonZone } from '../support/working-day.ts';

const timezone = afternoonZone(realClock.now());
const today = dayOf(realClock.now(), timezone);
const at = (hours: number, daysAgo = 0): number => today.from + (hours - 24 * daysAgo) * 3600;

const employee = (no: number) => ({
  ...{ ext_id: `e${no}`, name: `Person ${no}`, mobile: `138000000${String(no).padStart(2, '0')}` },
  ...{ employee_num: String(1000 + no), department: { ext_id: no > 90 ? 'd2' : 'd1' } },
});
const people = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `e${from + index}`);
/** Days of every week, so that today is one of them. */
const daily = (code: string) => ({ cycle: [code], anchor: '2026-01-01', from: '2026-01-01' });
const site = {
  departments: [
    { ext_id: '0', name: 'Plant 4' },
    { ext_id: 'd1', name: 'Assembly', p_ext_id: '0' },
    { ext_id: 'd2', name: 'Night crew', p_ext_id: '0' },
  ],
  devices: [
    { device_id: 'FACE-T1_A0001', name: 'North gate' },
    { device_id: 'FACE-T1_A0002', name: 'South gate' },
  ],
  employees: Array.from({ length: 99 }, (_, index) => employee(index + 1)),
  shifts: [
    { code: 'day', name: 'Day', times: ['08:00-17:00'], late_grace: 5 },
    { code: 'night', name: 'Night', times: ['22:00-06:00'] },
  ],
  schedules: [
    { who: 'site', ...daily('day') },
    { who: { department: 'd2' }, ...daily('night') },
  ],
};

/** A check-in of each of these people. */
async function report(box: BoxProcess, deviceId: string, extIds: readonly string[], time: number): Promise<void> {
  const ca = await box.ask('trust', 'export', '--edition', 'slim');
  const terminal = new HttpTerminal({ deviceId, key: 'key-of-the-product' }, urlOf(box), ca);
  try {
    await terminal.connect();
    const records = extIds.map(ext_id => ({ ext_id, check_type: 'fa', check_time: time }));
    const message = { mid: `${time}`, from: deviceId, to: 'system', time: 0, action: 2001, data: { records } };
    const answer = await terminal.ask(`/api/push/${deviceId}`, { method: 'POST', body: JSON.stringify(message) });
    expect(JSON.parse(answer.body).code).toBe(0);
  } finally {
    terminal.end();
  }
}

/** The terminal at the south gate, where eighty check in, is dead since yesterday; the night crew went home at six. */
async function aMorning(): Promise<BoxProcess> {
  const box = await aUiBox({ site: { name: 'Plant 4', locale: 'en', timezone } }, site);
  await report(box, 'FACE-T1_A0002', people(1, 80), at(7.8, 1));
  await report(box, 'FACE-T1_A0001', people(81, 90), at(7.8, 1));
  await report(box, 'FACE-T1_A0001', people(91, 99), at(21.8, 1));
  await report(box, 'FACE-T1_A0001', people(91, 99), at(6.05));
  await report(box, 'FACE-T1_A0001', people(81, 86), at(7.75));
  await report(box, 'FACE-T1_A0001', people(87, 89), at(8.2));
  return box;
}

const words = {
  'en-US': {
    ...{ name: 'Name', password: 'Password', signIn: 'Sign in', present: 'Present today', terminal: 'Terminal' },
    ...{ all: 'Add check-ins for all 80…', reason: 'Reason', add: 'Add 80 check-ins', added: '80 check-ins added' },
    before: '9 of 90 scheduled present · 81 absent · 3 late · 9 expected later',
    after: '89 of 90 scheduled present · 1 absent · 3 late · 9 expected later',
    ...{ undo: 'Undo', people: 'People', correct: 'Correct the day of Person 90', add1: 'Add' },
    ...{ leave: 'Grant leave to Person 87', save: 'Save', onLeave: '1 on leave', call: 'Call Person 87' },
  },
  'zh-CN': {
    ...{ name: '用户名', password: '密码', signIn: '登录', present: '今日实到', terminal: '终端' },
    ...{ all: '为全部 80 人补卡…', reason: '原因', add: '补卡 80 次', added: '已补卡 80 次' },
    before: '应到 90 人，实到 9 人，缺勤 81 人，迟到 3 人，待上班 9 人',
    after: '应到 90 人，实到 89 人，缺勤 1 人，迟到 3 人，待上班 9 人',
    ...{ undo: '撤销', people: '人员', correct: 'Person 90：补卡', add1: '补卡' },
    ...{ leave: '为Person 87登记请假', save: '保存', onLeave: '请假 1 人', call: '拨打Person 87的电话' },
  },
} as const;

suiteWithBrowser('a day by the schedules', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  const picture = async (page: Page, name: string) => {
    const folder = process.env.PICTURES;
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: name.startsWith('full') });
  };

  test.each([
    ['en-US', 1280],
    ['zh-CN', 390],
  ] as const)('eighty punches of a dead terminal are added in five clicks: %s, %d wide', async (locale, width) => {
    await using box = await aMorning();
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
    const arrivals = page.getByRole('link', { name: text.present });
    await arrivals.waitFor();
    await picture(page, `today-${locale}-${width}`);
    await click(arrivals);
    await page.waitForURL(/attendance\?status=absent(,|%2C)late/);
    await page.locator('.sentence', { hasText: text.before }).waitFor();
    const table = page.getByRole('table', { name: text.people, exact: true });
    expect(await table.locator('tbody tr').count()).toBe(84);
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await picture(page, `day-${locale}-${width}`);
    clicks++;
    await page.getByLabel(text.terminal).selectOption('FACE-T1_A0002');
    await click(page.getByRole('button', { name: text.all }));
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(text.reason).fill('Terminal out of order');
    expect(await axeFindings(page)).toEqual([]);
    await picture(page, `adding-${locale}-${width}`);
    await click(dialog.getByRole('button', { name: text.add }));
    await page.getByText(text.added).waitFor();
    expect(clicks).toBeLessThanOrEqual(5);
    await picture(page, `added-${locale}-${width}`);
    await page.goto('/attendance');
    await page.locator('.sentence', { hasText: text.after }).waitFor();
    await picture(page, `full-${locale}-${width}`);
  });

  test('from a row a day is corrected, a leave granted and the person called; a bulk is undone', async () => {
    await using box = await aMorning();
    const page = await browser.page(urlOf(box));
    const text = words['en-US'];
    await page.goto('/attendance?status=absent,late');
    await page.getByLabel(text.name).fill('wang');
    await page.getByLabel(text.password).fill(adminPassword);
    await page.getByRole('button', { name: text.signIn }).click();
    await page.locator('.sentence', { hasText: text.before }).waitFor();
    expect(await page.getByRole('link', { name: text.call }).getAttribute('href')).toBe('tel:13800000087');
    await page.getByLabel(text.terminal).selectOption('FACE-T1_A0002');
    await page.getByRole('button', { name: text.all }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(text.reason).fill('Terminal out of order');
    await dialog.getByRole('button', { name: text.add }).click();
    await page.getByText(text.added).waitFor();
    await page.getByRole('button', { name: text.undo }).click();
    await page.getByText('Undone: 80 restored').waitFor();
    await page.goto('/attendance?status=absent,late');
    await page.locator('.sentence', { hasText: text.before }).waitFor();
    await page.getByRole('button', { name: text.leave }).click();
    await dialog.getByRole('button', { name: text.save }).click();
    await page.locator('.sentence', { hasText: /1 on leave$/ }).waitFor();
    await page.getByRole('button', { name: text.correct }).click();
    await dialog.getByLabel(text.reason).fill('forgot');
    await picture(page, 'correcting');
    await dialog.getByRole('button', { name: text.add1, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('.sentence', { hasText: /80 absent/ }).waitFor();
  });

  test('by keys alone the punches of a dead terminal are added, a day is looked at, and the month closed', async () => {
    await using box = await aMorning();
    const page = await browser.page(urlOf(box));
    const text = words['en-US'];
    const { keyboard } = page;
    const dialog = page.getByRole('dialog');
    await page.goto('/');
    await walkTo(page, page.getByLabel(text.name));
    await keyboard.type('wang');
    await walkTo(page, page.getByLabel(text.password));
    await keyboard.type(adminPassword);
    await keyboard.press('Enter');
    await pressByKey(page, page.getByRole('link', { name: text.present }));
    await page.locator('.sentence', { hasText: text.before }).waitFor();
    const terminal = page.getByLabel(text.terminal);
    await walkTo(page, terminal);
    await keyboard.type('South');
    await expect.poll(() => terminal.inputValue(), patient).toBe('FACE-T1_A0002');
    const all = page.getByRole('button', { name: text.all });
    await pressByKey(page, all);
    // The focus goes round within the dialog, and comes back from it.
    await walkTo(page, dialog.getByRole('button', { name: 'Cancel' }));
    await walkTo(page, dialog.getByLabel(text.reason));
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('button:focus', { hasText: text.all }).waitFor();
    await keyboard.press('Enter');
    await walkTo(page, dialog.getByLabel(text.reason));
    await keyboard.type('Terminal out of order');
    await pressByKey(page, dialog.getByRole('button', { name: text.add }));
    await page.locator('.toast', { hasText: text.added }).waitFor();

    await pressByKey(
      page,
      page.getByRole('navigation', { name: 'Attendance views' }).getByRole('link', { name: 'Month' }),
    );
    // On the first of a month none of its days is over, and nothing is there to review.
    await page.locator('.sentence', { hasText: /(need|nothing to) review/ }).waitFor();
    const marks = page.getByRole('table', { name: /^Attendance in / }).locator('td.day button');
    await walkTo(page, marks.and(page.locator(':not([tabindex="-1"])')).first());
    await keyboard.press('ArrowDown');
    const day = page.locator('td.day button:focus');
    await day.waitFor();
    await keyboard.press('Enter');
    await dialog.waitFor();
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await day.waitFor();
    const close = /^Close \w+ \d{4}$/;
    await walkTo(page, page.getByRole('button', { name: close }), 'Shift+Tab');
    await keyboard.press('Enter');
    await pressByKey(page, dialog.getByRole('button', { name: close }));
    await dialog.getByRole('alert').waitFor();
    await walkTo(page, dialog.getByLabel(/Reason for closing early/));
    await keyboard.type('payroll is due');
    await pressByKey(page, dialog.getByRole('button', { name: 'Close anyway', exact: true }));
    await page.locator('.sentence', { hasText: /· closed/ }).waitFor();
  });
});

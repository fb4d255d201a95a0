import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import type { BoxProcess } from '../support/program.ts';
import { HttpTerminal } from '../support/terminal.ts';
import { adminPassword, aUiBox, urlOf } from '../support/ui-box.ts';

const at = (moment: string): number => Date.parse(`${moment}+08:00`) / 1000;

const reports = async (box: BoxProcess, records: readonly object[]): Promise<void> => {
  const ca = await box.ask('trust', 'export', '--edition', 'slim');
  const terminal = new HttpTerminal({ deviceId: 'FACE-T1_A0001', key: 'key-of-the-product' }, urlOf(box), ca);
  try {
    await terminal.connect();
    const message = { mid: 'm1', from: terminal.deviceId, to: 'system', time: 0, action: 2001, data: { records } };
    const path = `/api/push/${terminal.deviceId}`;
    const answer = await terminal.ask(path, { method: 'POST', body: JSON.stringify(message) });
    expect(JSON.parse(answer.body).code).toBe(0);
  } finally {
    terminal.end();
  }
};

const signIn = async (page: Page, name: string, path: string, words = ['Name', 'Password', 'Sign in']) => {
  await page.goto(path);
  await page.getByLabel(words[0]!).fill(name);
  await page.getByLabel(words[1]!).fill(adminPassword);
  await page.getByRole('button', { name: words[2]! }).click();
  await page.getByRole('navigation').first().waitFor();
};

const dayPath = '/attendance/person/e1?day=2026-03-16';
const twoPunches = [
  { ext_id: 'e1', check_type: 'fa', check_time: at('2026-03-16T08:52:00') },
  { ext_id: 'e1', check_type: 'fa', check_time: at('2026-03-16T12:10:00') },
];

suiteWithBrowser('corrections', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  test('on the page of a day a check-in is added and another ignored; both stay, and are undone', async () => {
    await using box = await aUiBox();
    await reports(box, twoPunches);
    const page = await browser.page(urlOf(box));
    await signIn(page, 'wang', dayPath);
    const list = page.getByRole('table', { name: 'Check-ins' });
    await list.getByText('08:52:00').waitFor();
    await page.getByLabel('Time', { exact: true }).fill('18:02');
    await page.getByLabel('Reason').fill('Forgot to check in');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await list.getByText('Added manually: Forgot to check in').waitFor();
    expect(await list.getByRole('row').filter({ hasText: '18:02:00' }).textContent()).toContain('Supplement');

    await page.getByRole('button', { name: 'Ignore check-in at 12:10:00' }).click();
    const dialog = page.getByRole('dialog');
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByLabel('Reason').fill('Somebody else');
    await dialog.getByRole('button', { name: 'Ignore' }).click();
    await list.getByText('Ignored: Somebody else').waitFor();
    expect(await list.locator('s').textContent()).toBe('12:10:00');
    expect(await axeFindings(page)).toEqual([]);

    const corrections = page.getByRole('table', { name: 'Corrections' });
    await corrections.getByRole('button', { name: 'Undo correction 2' }).click();
    await dialog.getByLabel('Reason').fill('It was she');
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await list.locator('s').waitFor({ state: 'detached' });
    await corrections.getByText('Undo of 2').waitFor();
    expect(await box.export('checkins')).toMatchObject([
      { set_aside: false },
      { set_aside: false },
      { source: 'added', reason: 'Forgot to check in', check_type: 'reissue' },
    ]);
    expect(page.foreign).toEqual([]);
  });

  test('where two persons have to agree, the other one approves; a viewer can do neither', async () => {
    await using box = await aUiBox({ attendance: { corrections: { second_person: true } } });
    await reports(box, twoPunches);
    const page = await browser.page(urlOf(box), { locale: 'zh-CN', width: 390 });
    await signIn(page, 'wang', dayPath, ['用户名', '密码', '登录']);
    await page.getByLabel('时间', { exact: true }).fill('18:02');
    await page.getByLabel('原因').fill('忘记打卡');
    await page.getByRole('button', { name: '补卡', exact: true }).click();
    const corrections = page.getByRole('table', { name: '考勤调整' });
    await corrections.getByText('待审批').waitFor();
    expect(await corrections.getByRole('button', { name: '批准考勤调整 1' }).count()).toBe(0);
    expect(await page.getByText('补卡：忘记打卡').count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);

    const viewer = await browser.page(urlOf(box));
    await signIn(viewer, 'li', dayPath);
    await viewer.getByText('awaits approval').waitFor();
    expect(await viewer.getByRole('button', { name: /Approve|Ignore|Add/ }).count()).toBe(0);

    const other = await browser.page(urlOf(box));
    await signIn(other, 'mei', dayPath);
    await other.getByRole('button', { name: 'Approve correction 1' }).click();
    await other.getByText('Added manually: 忘记打卡').waitFor();
  });

  test('a check-in counted to the wrong day is moved to the night before, with what both days come to', async () => {
    await using box = await aUiBox(
      {},
      {
        shifts: [{ code: 'night', name: 'Night', times: ['22:00-06:00'] }],
        schedules: [{ who: 'site', shift: 'night', from: '2026-01-01' }],
      },
    );
    await reports(box, [
      { ext_id: 'e1', check_type: 'fa', check_time: at('2026-03-16T21:55:00') },
      { ext_id: 'e1', check_type: 'fa', check_time: at('2026-03-17T16:00:00') },
    ]);
    const page = await browser.page(urlOf(box), { width: 390 });
    await signIn(page, 'wang', '/attendance/person/e1?day=2026-03-17');
    const list = page.getByRole('table', { name: 'Check-ins' });
    await list.getByRole('button', { name: 'Count on another day: check-in at 16:00:00' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Counts on').selectOption('2026-03-16');
    const changes = dialog.getByRole('list', { name: 'Changes' });
    await changes.getByText(/Monday, March 16, 2026: .*→.*8:00 worked/).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByLabel('Reason').fill('The night went on');
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    const corrections = page.getByRole('table', { name: 'Corrections' });
    await corrections.getByText('Counted on 2026-03-16').waitFor();
    await list.getByText('16:00:00').waitFor({ state: 'detached' });
    expect(await axeFindings(page)).toEqual([]);

    await page.goto('/attendance/person/e1?day=2026-03-16');
    await list.getByText('Counted on 2026-03-16: The night went on').waitFor();
    await list
      .getByRole('row')
      .filter({ hasText: '16:00:00' })
      .getByRole('link', { name: 'stored on the gateway' })
      .click();
    await page.getByText('Counted on 2026-03-16 by correction 1: The night went on').waitFor();
    await page.goBack();
    await corrections.getByRole('button', { name: 'Undo correction 1' }).click();
    await dialog.getByLabel('Reason').fill('It did not');
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await list.getByText('Counted on 2026-03-16: The night went on').waitFor({ state: 'detached' });
    expect(page.foreign).toEqual([]);
  });
});

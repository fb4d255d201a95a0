import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { type Look, patient, suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import type { BoxProcess } from '../support/program.ts';
import { smallTargets } from '../support/targets.ts';
import { aUiBox, enterAs, urlOf } from '../support/ui-box.ts';

const devices = Array.from({ length: 120 }, (_, index) => ({
  device_id: `FACE-T1_C${String(index).padStart(4, '0')}`,
  name: index < 3 ? `Gate ${3 - index}` : '',
  people_data: false,
}));

async function signIn(page: Page, path: string, name = 'mei'): Promise<void> {
  await page.goto(path);
  await enterAs(name, page);
  await page.locator('main .sentence').waitFor();
}

/** Buttons of 44 px and what is around them. */
const oneRowPx = 56;
const barHeight = async (page: Page): Promise<number> =>
  (await page.locator('.selection-bar').boundingBox())?.height ?? Number.POSITIVE_INFINITY;

suiteWithBrowser('lists of which many are changed at once', () => {
  let browser: TestBrowser;
  let box: BoxProcess;
  beforeAll(async () => {
    browser = await TestBrowser.open();
    box = await aUiBox({}, { devices });
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await box?.[Symbol.asyncDispose]();
  });

  const opened = async (path: string, look: Look = {}, name?: string): Promise<Page> => {
    const page = await browser.page(urlOf(box), look);
    await signIn(page, path, name);
    return page;
  };
  const picture = async (page: Page, name: string) => {
    const folder = process.env.PICTURES;
    if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
  };

  test('all devices that match but one are blocked in four clicks, and it is undone', async () => {
    const page = await opened('/devices');
    const rows = page.getByRole('table', { name: 'Devices' }).locator('tbody tr');
    await rows.nth(49).waitFor();
    expect(await page.getByRole('table', { name: 'Devices' }).getAttribute('aria-rowcount')).toBe('121');
    await page.getByRole('checkbox', { name: 'Select all shown' }).check();
    await page.getByText('50 selected').waitFor();
    await page.getByRole('button', { name: 'Select all 120 matches' }).click();
    await page.getByRole('checkbox', { name: 'Select Gate 3' }).uncheck();
    await page.getByText('119 selected').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await picture(page, 'devices-1280-en');
    await page.getByRole('button', { name: 'Block', exact: true }).click();
    await page.getByText('119 devices blocked').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await picture(page, 'devices-done-1280-en');
    const states = page.getByLabel('State').locator('option');
    await expect.poll(async () => (await states.allTextContents()).join(), patient).toContain('(119)');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone: 119 restored').waitFor();
    await expect.poll(async () => (await states.allTextContents()).join(), patient).not.toContain('(119)');
  });

  test('the list is sorted by the keyboard, and the link keeps it', async () => {
    const page = await opened('/devices');
    const table = page.getByRole('table', { name: 'Devices' });
    const heading = table.getByRole('columnheader', { name: 'Device' });
    await heading.getByRole('button').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => heading.getAttribute('aria-sort'), patient).toBe('ascending');
    await page.keyboard.press('Enter');
    await expect.poll(() => heading.getAttribute('aria-sort'), patient).toBe('descending');
    expect(new URL(page.url()).search).toBe('?sort=-name');
    await expect.poll(() => table.locator('tbody tr').first().textContent(), patient).toContain('Gate 3');
    expect(await page.evaluate("document.activeElement.closest('th').innerText.trim()")).toBe('Device');
  });

  test('a viewer prints labels of chosen devices and changes none', async () => {
    const page = await opened('/devices', {}, 'li');
    await page.getByRole('checkbox', { name: 'Select Gate 3' }).check();
    const acts = page.getByRole('group', { name: 'Bulk actions' });
    expect(await acts.getByRole('button').allTextContents()).toEqual(['Select all 120 matches', 'Clear selection']);
    expect(await acts.getByRole('link', { name: 'Print labels' }).getAttribute('href')).toBe(
      '/admin/v1/labels?device=FACE-T1_C0000',
    );
  });

  test('on a phone, in Chinese, devices are chosen, approved and that is undone', async () => {
    const page = await opened('/devices', { width: 390, locale: 'zh-CN' });
    await page.getByRole('checkbox', { name: '选择 Gate 3' }).check();
    await page.getByRole('checkbox', { name: '选择 Gate 2' }).check();
    await page.getByText('已选 2 项').waitFor();
    await page.getByRole('group', { name: '批量操作' }).scrollIntoViewIfNeeded();
    expect(await axeFindings(page)).toEqual([]);
    expect(await smallTargets(page)).toEqual([]);
    expect(await barHeight(page)).toBeLessThanOrEqual(oneRowPx);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await picture(page, 'devices-390-zh');
    await page.getByRole('button', { name: '批准接收人员数据' }).click();
    await page.getByText('已批准 2 台设备').waitFor();
    await picture(page, 'devices-done-390-zh');
    await page.getByRole('button', { name: '撤销' }).click();
    await page.getByText('已撤销，2 项恢复原状。').waitFor();
  });

  test('people are moved together, and it is undone', async () => {
    const page = await opened('/people', {}, 'wang');
    const table = page.getByRole('table', { name: 'All employees' });
    expect(await table.getAttribute('aria-rowcount')).toBe('21');
    const heading = table.getByRole('columnheader', { name: 'Number' });
    await heading.getByRole('button').click();
    await expect.poll(() => heading.getAttribute('aria-sort'), patient).toBe('ascending');
    await table.getByRole('checkbox', { name: 'Select all shown' }).check();
    await page.getByText('20 selected').waitFor();
    await table.locator('tbody').getByRole('checkbox').first().uncheck();
    expect(await axeFindings(page)).toEqual([]);
    await picture(page, 'people-1280-en');
    await page.getByRole('button', { name: 'Move to department…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move 19 employees' });
    await dialog.getByLabel('Department').selectOption('0');
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByText('Moved 19 employees to Plant 4').waitFor();
    await picture(page, 'people-done-1280-en');
    // The sentence with its button is gone with the page; the change is still there to be undone.
    await page.goto('/system/audit');
    await page.getByRole('button', { name: 'Undo: People moved to a department: 19' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await picture(page, 'undoable-1280-en');
    await page.getByRole('button', { name: 'Undo: People moved to a department: 19' }).click();
    await page.getByText('Undone: 19 restored').waitFor();
    await page.goto('/people');
    await expect.poll(() => table.locator('tbody tr').filter({ hasText: 'Assembly' }).count(), patient).toBe(20);
  });

  test('on a phone, in Chinese, people leave on a day, and are back', async () => {
    const page = await opened('/people', { width: 390, locale: 'zh-CN' }, 'wang');
    const rows = page.getByRole('table').locator('tbody tr');
    for (const index of [0, 1]) await rows.nth(index).getByRole('checkbox').check();
    await page.getByText('已选 2 项').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await smallTargets(page)).toEqual([]);
    expect(await barHeight(page)).toBeLessThanOrEqual(oneRowPx);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await picture(page, 'people-390-zh');
    await page.getByRole('button', { name: '批量办理离职…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('最后工作日').fill('2026-01-31');
    await dialog.getByRole('button', { name: '保存' }).click();
    await page.getByText('2 人的最后工作日：').waitFor();
    await expect.poll(() => rows.count(), patient).toBe(18);
    await page.getByRole('button', { name: '撤销' }).click();
    await expect.poll(() => rows.count(), patient).toBe(20);
  });
});

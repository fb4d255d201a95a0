import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { type Look, suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import type { BoxProcess } from '../support/program.ts';
import { smallTargets } from '../support/targets.ts';
import { aUiBox, enterAs, urlOf } from '../support/ui-box.ts';
import { until } from '../support/until.ts';

const device = 'FACE-T1_A0001';

suiteWithBrowser('what was done', () => {
  let browser: TestBrowser;
  let box: BoxProcess;
  beforeAll(async () => {
    browser = await TestBrowser.open();
    box = await aUiBox({}, { devices: [{ device_id: device, name: 'Gate 1' }] });
  });
  afterAll(async () => {
    await box?.[Symbol.asyncDispose]();
    await browser?.[Symbol.asyncDispose]();
  });

  /** The page of the device, with a clock that the test turns. */
  const opened = async (look: Look = {}): Promise<Page> => {
    const page = await browser.page(urlOf(box), look);
    await page.clock.install();
    await page.goto(`/devices/${device}`);
    await enterAs('mei', page);
    await page.locator('main .sentence').waitFor();
    return page;
  };
  const rename = async (page: Page, name: string, words = { rename: 'Rename', save: 'Rename' }) => {
    await page.getByRole('button', { name: words.rename, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[name=name]').fill(name);
    await dialog.getByRole('button', { name: words.save, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  const title = (page: Page, name: string) => page.locator('.page-name h1', { hasText: name });

  test('is read aloud in one place, stays while somebody reads, and goes by itself', async () => {
    const page = await opened();
    await rename(page, 'Gate A');
    const toast = page.locator('.toasts[role=status] .toast');
    await toast.waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await toast.hover();
    await page.clock.fastForward(120_000);
    expect(await toast.count()).toBe(1);
    await page.locator('.page-name').hover();
    await page.clock.fastForward(31_000);
    await toast.waitFor({ state: 'detached' });
  });

  test('is undone by the keyboard, without a timer, and the focus goes back to the page', async () => {
    const page = await opened();
    await rename(page, 'Gate B');
    await title(page, 'Gate B').waitFor();
    const button = page.getByRole('button', { name: 'Rename', exact: true });
    await rename(page, 'Gate C');
    await title(page, 'Gate C').waitFor();
    await page.locator('.toast').waitFor();
    const undo = page.locator('.toast').getByRole('button', { name: 'Undo' });
    await button.focus();
    const reached = page.locator('.toast button:focus', { hasText: 'Undo' });
    while ((await reached.count()) === 0) await page.keyboard.press('Tab');
    expect(await undo.evaluate(one => one.matches(':focus-visible'))).toBe(true);
    await page.keyboard.press('Enter');
    await title(page, 'Gate B').waitFor();
    await page.locator('.toast', { hasText: 'Undone' }).waitFor();
    await until('the focus is in the page again', () =>
      page.evaluate<boolean>("document.activeElement.closest('main') !== null"),
    );
  });

  test('cannot be undone any more: the refusal stays on the page, and no toast is left', async () => {
    const page = await opened();
    await rename(page, 'Gate D');
    await page.route(`**/admin/v1/devices/${device}`, route =>
      route.fulfill({
        status: 409,
        contentType: 'application/problem+json',
        body: JSON.stringify({ type: 'about:blank', title: 'conflict', status: 409, detail: 'changed since' }),
      }),
    );
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await page.locator('main [role=alert]').waitFor();
    expect(await page.locator('.toast').count()).toBe(0);
  });

  test('goes with its page; on a phone it stands above the bar, in Chinese and dark, and a fingertip hits its buttons', async () => {
    const page = await opened({ width: 390, locale: 'zh-CN', dark: true });
    await rename(page, 'Gate E', { rename: '改名', save: '改名' });
    const toast = page.locator('.toast');
    await toast.getByRole('button', { name: '撤销' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await smallTargets(page)).toEqual([]);
    const [box, bar] = await Promise.all([toast.boundingBox(), page.locator('.rail').boundingBox()]);
    expect(box!.y + box!.height).toBeLessThanOrEqual(bar!.y);
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/toast-zh-390.png` });
    await page.locator('.page-name h1 a').click();
    await toast.waitFor({ state: 'detached' });
  });
});

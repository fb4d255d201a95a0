import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { aUiBox, enterAs, urlOf } from '../support/ui-box.ts';

async function signIn(page: Page, name: string): Promise<void> {
  await enterAs(name, page);
  await page.getByRole('navigation').first().waitFor();
}

/** For the eye; absent: nothing is drawn. */
const pictures = process.env.GATEHOUSE_SCREENSHOTS;
const draw = async (page: Page, name: string) =>
  pictures && (await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true }));

suiteWithBrowser('the page Settings', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  test.each([
    { locale: 'en-US', width: 1280, save: 'Save', saved: 'Saved' },
    { locale: 'zh-CN', width: 390, save: '保存', saved: '已保存' },
  ] as const)(
    'the site is renamed and moved to another zone at once; what the config says is fixed ($locale, $width)',
    async ({ locale, width, ...said }) => {
      await using box = await aUiBox({ site: { locale: 'en' } });
      const page = await browser.page(urlOf(box), { locale, width });
      await page.goto('/system/settings');
      await signIn(page, 'mei');
      await page.locator('input[name=name]').fill('Harbour Mill');
      await page.getByRole('button', { name: said.save, exact: true }).click();
      await page.getByText(said.saved, { exact: true }).waitFor();
      await page.locator('nav .site', { hasText: 'Harbour Mill' }).waitFor({ state: 'attached' });
      await page.getByText(/gatehouse\.yaml:\d+:\d+.*site\.locale/).waitFor();
      await draw(page, `settings-${locale}-${width}`);
      expect(await axeFindings(page)).toEqual([]);

      await page.locator('input[name=timezone]').fill('America/New_York');
      await page.getByRole('button', { name: said.save, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await draw(page, `settings-${locale}-${width}-zone`);
      expect(await axeFindings(page)).toEqual([]);
      await dialog.locator('button[type=submit]').click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText(said.saved, { exact: true }).waitFor();
      const session = await (await page.request.get('/admin/v1/session')).json();
      expect(session.site).toEqual({ name: 'Harbour Mill', timezone: 'America/New_York', locale: 'en' });
      const wide = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      expect(wide).toBeLessThanOrEqual(0);
    },
  );

  test('a viewer reads the settings and cannot change them', async () => {
    await using box = await aUiBox();
    const page = await browser.page(urlOf(box));
    await page.goto('/system/settings');
    await signIn(page, 'li');
    await page.getByText('Only an administrator can change these settings.').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    expect(await page.locator('input[name=timezone]').isDisabled()).toBe(true);
  });
});

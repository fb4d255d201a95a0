import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { type Look, suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { everyPage as paths } from '../support/every-page.ts';
import type { BoxProcess } from '../support/program.ts';
import { smallTargets } from '../support/targets.ts';
import { adminPassword, aUiBox, terminalsAt, urlOf } from '../support/ui-box.ts';
import { until } from '../support/until.ts';

// Every dialog of every page is opened: 100 s and more on a busy machine.
vi.setConfig({ testTimeout: 360_000, hookTimeout: 120_000 });

const looks: readonly (Look & { readonly name: string })[] = [
  { name: 'English, light, 1280 px', width: 1280 },
  { name: 'Chinese, dark, 360 px', width: 360, locale: 'zh-CN', dark: true },
  { name: 'English, dark, 768 px', width: 768, dark: true },
  { name: 'Chinese, light, 1280 px', width: 1280, locale: 'zh-CN' },
];

/**
 * Chromium looks for a favicon by itself, and keeps no page of a box whose certificate it was only
 * told to pass over (`installed.long.test.ts` has one that it trusts).
 */
const isOfBrowser = (message: string): boolean =>
  message.includes('favicon') || / error occurred when fetching the script\.$/.test(message);

/** On a phone all that can be pressed is as large as a fingertip. */
const tooSmall = async (page: Page, { width = 1280 }: Look): Promise<string[]> =>
  width < 760 ? (await smallTargets(page)).map(one => `too small to press: ${one}`) : [];

/** What a press before began may take a button away, such as the last approval that takes "all". */
const unlessGone = (button: Locator) => async (error: unknown) => {
  if ((await button.count()) > 0) throw error;
};

suiteWithBrowser('every page', () => {
  let browser: TestBrowser;
  let box: BoxProcess;
  beforeAll(async () => {
    browser = await TestBrowser.open();
    box = await aUiBox();
    const terminals = await terminalsAt(box, { recordsMax: 10 });
    await until('the terminals have said something', async () => (await box.export('checkins')).length >= 10);
    await terminals.stop();
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await box?.[Symbol.asyncDispose]();
  });

  describe.each(looks)('in $name', look => {
    test('axe finds nothing at WCAG 2.2 AA, nothing goes sideways, a fingertip hits what can be pressed, nothing is asked of anybody else, no error is logged', async () => {
      const page = await browser.page(urlOf(box), look);
      const errors: string[] = [];
      page.on('pageerror', error => errors.push(`${page.url()}: ${error.message}`));
      page.on('console', message => {
        if (message.type() === 'error' && !isOfBrowser(message.text())) errors.push(`${page.url()}: ${message.text()}`);
      });
      await page.goto('/');
      expect([...(await axeFindings(page)), ...(await tooSmall(page, look))]).toEqual([]);
      await page.locator('input[name=name]').fill('mei');
      await page.locator('input[name=password]').fill(adminPassword);
      await page.locator('button[type=submit]').click();
      await page.locator('.path .station').first().waitFor();
      const findings: string[] = [];
      for (const path of paths) {
        await page.goto(path);
        await page.locator('main h1').first().waitFor();
        // What is still on its way is a sentence of its own: the page is looked at when it has
        // come.
        await page
          .locator('main [role=status]:text-matches("Loading|正在加载")')
          .first()
          .waitFor({ state: 'detached' });
        const wide = await page.locator('html').evaluate(html => html.scrollWidth - html.clientWidth);
        if (wide > 0) findings.push(`${path}: ${wide} px wider than the screen`);
        findings.push(...[...(await axeFindings(page)), ...(await tooSmall(page, look))].map(one => `${path}: ${one}`));
      }
      expect(findings).toEqual([]);
      expect(errors).toEqual([]);
      expect(page.foreign).toEqual([]);
    });
  });

  test.each(looks.slice(0, 2))(
    'in $name axe finds nothing in any dialog, a fingertip hits its buttons, the keyboard is in it, and Escape closes it',
    async look => {
      const page = await browser.page(urlOf(box), look);
      await page.goto('/');
      await page.locator('input[name=name]').fill('mei');
      await page.locator('input[name=password]').fill(adminPassword);
      await page.locator('button[type=submit]').click();
      await page.locator('.path .station').first().waitFor();
      const dialog = page.locator('dialog[open]');
      const seen = new Set<string>();
      const findings: string[] = [];
      for (const path of paths) {
        await page.goto(path);
        await page.locator('main h1').first().waitFor();
        await page
          .locator('main [role=status]:text-matches("Loading|正在加载")')
          .first()
          .waitFor({ state: 'detached' });
        const buttons = await page.locator('main button:enabled:visible').allInnerTexts();
        for (const text of new Set(buttons.map(one => one.trim()).filter(Boolean))) {
          const button = page.locator('main button:enabled:visible').filter({ hasText: text }).first();
          if ((await button.count()) === 0) continue;
          // The code of the search is fetched with the first click on it.
          const timeout =
            (await button.getAttribute('aria-haspopup').catch(unlessGone(button))) === 'dialog' ? 10_000 : 400;
          await button.click().catch(unlessGone(button));
          const opened = await dialog.waitFor({ timeout }).then(
            () => true,
            () => false,
          );
          if (!opened) continue;
          const title = `${path}: ${await dialog.locator('h1').textContent()}`;
          seen.add(title);
          findings.push(
            ...[...(await axeFindings(page)), ...(await tooSmall(page, look))].map(one => `${title}: ${one}`),
          );
          const inside = await page.evaluate('document.activeElement.closest("dialog") !== null');
          if (!inside) findings.push(`${title}: the keyboard is not in it`);
          await page.keyboard.press('Escape');
          await dialog.waitFor({ state: 'detached', timeout: 10_000 }).catch(() => {
            findings.push(`${title}: Escape does not close it`);
          });
          if ((await dialog.count()) > 0) await page.goto(path);
        }
      }
      expect(findings).toEqual([]);
      expect([...seen].length).toBeGreaterThanOrEqual(12);
    },
  );

  test('the first view is small: under 45 kB of JavaScript and 12 kB of styles, as they travel', async () => {
    const page = await browser.page(urlOf(box));
    const bytes = { js: 0, css: 0 };
    const pending: Promise<void>[] = [];
    page.on('response', response => {
      const kind = /\.(js|css)$/.exec(new URL(response.url()).pathname)?.[1] as 'js' | 'css' | undefined;
      if (kind)
        pending.push(
          response
            .request()
            .sizes()
            .then(({ responseBodySize }) => {
              bytes[kind] += responseBodySize;
            }),
        );
    });
    await page.goto('/');
    await page.locator('input[name=name]').waitFor();
    await Promise.all(pending);
    expect(bytes.js).toBeGreaterThan(0);
    expect(bytes.js).toBeLessThan(45_000);
    expect(bytes.css).toBeLessThan(12_000);
  });
});

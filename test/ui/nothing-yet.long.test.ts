import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { type Look, patient, suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import type { BoxProcess } from '../support/program.ts';
import { smallTargets } from '../support/targets.ts';
import { aUiBox, enterAs, urlOf } from '../support/ui-box.ts';

const drawingBytesMax = 1500;

suiteWithBrowser('pages that have nothing yet', () => {
  let browser: TestBrowser;
  let empty: BoxProcess;
  beforeAll(async () => {
    browser = await TestBrowser.open();
    empty = await aUiBox({}, { employees: [] });
  });
  afterAll(async () => {
    await empty?.[Symbol.asyncDispose]();
    await browser?.[Symbol.asyncDispose]();
  });

  const signedIn = async (box: BoxProcess, path: string, look: Look = {}): Promise<Page> => {
    const page = await browser.page(urlOf(box), look);
    await page.goto(path);
    await enterAs('mei', page);
    await page.locator('main:not([data-arriving]) .sentence').first().waitFor();
    return page;
  };

  const places = ['/people', '/devices', '/schedules', '/attendance', '/system/alerts'];

  test.each([
    ['English, light, 1280 px', {}],
    ['Chinese, dark, 390 px', { locale: 'zh-CN', dark: true, width: 390 }],
  ] as const)('five lists have a small drawing, a sentence and what begins them: %s', async (_name, look) => {
    const page = await signedIn(empty, '/people', look);
    for (const path of places) {
      await page.goto(path);
      const drawn = page.locator('main:not([data-arriving]) .empty');
      await drawn.waitFor();
      expect(await drawn.locator('p').count(), path).toBe(1);
      expect(await drawn.locator('a, button').count(), path).toBe(1);
      const drawing = await drawn.locator('svg').evaluate(one => one.outerHTML);
      expect(drawing.length, path).toBeLessThan(drawingBytesMax);
      expect(await axeFindings(page), path).toEqual([]);
      if ('width' in look) expect(await smallTargets(page), path).toEqual([]);
    }
  });

  test('a list that is on its way has rows as high as its own, said once', async () => {
    await using box = await aUiBox();
    const page = await signedIn(box, '/people');
    const rowHeight = (await page.locator('main tbody tr').first().boundingBox())!.height;
    const held = Promise.withResolvers<void>();
    await page.route(/\/admin\/v1\/(people|departments)\b/, async route => {
      await held.promise;
      await route.continue();
    });
    await page.goto('/people', { waitUntil: 'commit' });
    // A page that waits for long shows itself, with rows of its own.
    const shown = page.locator('main .skeleton').first();
    await expect.poll(() => shown.isVisible(), patient).toBe(true);
    const { rows, height } = await page.evaluate<{ rows: number; height: number }>(`(() => {
      const shown = document.querySelector('main .skeleton');
      return { rows: Number(getComputedStyle(shown).getPropertyValue('--rows')), height: shown.clientHeight };
    })()`);
    // A row and the line below it.
    expect(Math.abs(height / rows - rowHeight)).toBeLessThan(1.5);
    expect(await page.locator('main [role=status]', { hasText: 'Loading' }).count()).toBe(1);
    expect(await axeFindings(page)).toEqual([]);
    held.resolve();
    await page.locator('main:not([data-arriving]) tbody tr').first().waitFor();
    expect(await page.locator('main .skeleton').count()).toBe(0);
    expect(await page.locator('main [role=status]', { hasText: 'Loading' }).count()).toBe(0);
  });
});

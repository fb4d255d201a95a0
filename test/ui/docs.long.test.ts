import { afterAll, beforeAll, expect, test } from 'vitest';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { adminPassword, aUiBox, urlOf } from '../support/ui-box.ts';

const bytesMax = 200_000;

suiteWithBrowser('the page of the APIs', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  test.each([
    ['en-US', 'identifies the caller'],
    ['zh-CN', '标识调用方'],
  ] as const)('says in %s what a parameter is, in less than 200 kB', async (locale, parameter) => {
    await using box = await aUiBox();
    const page = await browser.page(urlOf(box), { locale });
    await page.goto('/');
    await page.locator('input[name=name]').fill('mei');
    await page.locator('input[name=password]').fill(adminPassword);
    await page.locator('button[type=submit]').click();
    await page.locator('.path .station').first().waitFor();
    let bytes = 0;
    const sizes: Promise<void>[] = [];
    page.on('response', response => {
      // The event stream has no end.
      if (response.headers()['content-type']?.startsWith('text/event-stream')) return;
      const sent = response.request().sizes();
      sizes.push(
        sent.then(({ responseBodySize }) => {
          bytes += responseBodySize;
        }),
      );
    });
    await page.goto('/docs');
    await page.locator('details.operation summary', { hasText: '/v2.0/employee/query' }).click();
    await page.getByText(parameter).first().waitFor();
    await page.waitForLoadState('load');
    await Promise.all(sizes);
    console.info(`${locale}: ${Math.round(bytes / 1000)} kB`);
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(bytesMax);
  });
});

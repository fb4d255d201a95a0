import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { aCloud, trustOf, upstreamTo } from '../support/cloud.ts';
import type { BoxProcess } from '../support/program.ts';
import { MqttTerminal } from '../support/terminal.ts';
import { aUiBox, enterAs, urlOf } from '../support/ui-box.ts';
import { until } from '../support/until.ts';

suiteWithBrowser('what a new box says', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  const signedIn = async (box: BoxProcess, path: string): Promise<Page> => {
    const page = await browser.page(urlOf(box));
    await page.goto(path);
    await enterAs('mei', page);
    await page.locator('.path .station').first().waitFor();
    return page;
  };

  test('the first steps name the ports that are in force, and a cloud that was not tried yet is neither away nor to do', async () => {
    await using cloud = await aCloud();
    await using box = await aUiBox({ upstream: upstreamTo(cloud) });
    const page = await signedIn(box, '/welcome');
    await page.getByText(`port ${box.port('mqtts')} (MQTT over TLS) or port ${box.port('https')} (HTTPS)`).waitFor();
    const step = page.locator('.way-steps li').filter({ hasText: 'Cloud configured' });
    await step.waitFor();
    expect(await step.textContent()).not.toMatch(/away|to do/i);
    expect(await page.locator('.path').textContent()).not.toMatch(/away/i);
    await page.goto('/');
    await page.locator('main :is(.sentence, .wall)').first().waitFor();
    expect(await page.locator('.path, main .sentence').allTextContents()).not.toContainEqual(
      expect.stringMatching(/away for/),
    );
  });

  test('a mistyped product key that only the word of the cloud let pass is shown as wrong until it is corrected', async () => {
    const productKey = 'key-of-the-product';
    await using cloud = await aCloud({ products: [{ product_id: 'FACE-T1', product_key: productKey, model: 'FT1' }] });
    await using box = await aUiBox(
      { upstream: upstreamTo(cloud) },
      {
        products: [
          {
            product_id: 'FACE-T1',
            product_key: 'key-of-the-prodcut',
            name: 'Face terminal',
            model: 'FT1',
            access: 'both',
          },
        ],
      },
    );
    const ca = await trustOf(box.dataDir);
    const identity = { deviceId: 'FACE-T1_A0001', key: productKey };
    const terminal = new MqttTerminal(identity, `mqtts://${box.addresses.mqtts}`, { ca });
    await until('the cloud has let it in', () => terminal.client.connected);
    const page = await signedIn(box, '/devices');
    const wrong = page.getByText(/product key of Face terminal matches none of its devices/);
    await wrong.waitFor();
    await page.reload();
    await wrong.waitFor();
    await page.getByRole('button', { name: 'Correct product key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Product key').fill(productKey);
    await dialog.locator('button[type=submit]').click();
    await wrong.waitFor({ state: 'detached' });
    await terminal.end();
  });
});

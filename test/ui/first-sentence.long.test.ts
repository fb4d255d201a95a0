import { statfsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inAllLooks, suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { aCloud, upstreamTo } from '../support/cloud.ts';
import type { BoxProcess } from '../support/program.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { suiteWhere } from '../support/tools.ts';
import { aUiBox, enterAs, terminalsAt, urlOf } from '../support/ui-box.ts';
import { until } from '../support/until.ts';

const looksOfCi = [
  ['en-US', 390],
  ['zh-CN', 1280],
] as const;
const looks = inAllLooks
  ? ([...looksOfCi, ['zh-CN', 390], ['en-US', 820], ['zh-CN', 820], ['en-US', 1280]] as const)
  : looksOfCi;

const words = {
  'en-US': {
    disk: /^Disk (\d+ % full|full: new records are rejected)/,
    line: /^Cloud offline · since \d\d:\d\d$/,
    switch: /^All 3 devices are offline: check the switch, the network or the power · since \d\d:\d\d$/,
  },
  'zh-CN': {
    disk: /^磁盘已(用 \d+%|满，无法接收新记录)/,
    line: /^与云平台断开 · \d\d:\d\d 起$/,
    switch: /^全部 3 台设备离线：请检查交换机、网络或电源 · \d\d:\d\d 起$/,
  },
} as const;

suiteWithBrowser('the first sentence that IT reads on Today is true and names the cause', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  const signedIn = async (box: BoxProcess, locale: (typeof looks)[number][0], width: number): Promise<Page> => {
    const page = await browser.page(urlOf(box), { locale, width });
    await page.goto('/');
    await enterAs('mei', page);
    await page.locator('main .sentence').first().waitFor();
    return page;
  };
  const read = (page: Page, sentence: RegExp) =>
    page.locator('main .sentence').first().filter({ hasText: sentence }).waitFor();
  const first = (page: Page) => page.locator('main .sentence').first().textContent();

  test.each(looks)('the line is cut: %s, %d wide', async (locale, width) => {
    await using above = await aCloud({
      products: [{ product_id: 'FACE-T1', product_key: 'key-of-the-product', model: 'FT1' }],
    });
    await using box = await aUiBox({ upstream: upstreamTo(above) });
    await using _terminals = await terminalsAt(box, { count: 3 });
    const page = await signedIn(box, locale, width);
    await until(
      'the cloud is connected',
      async () => JSON.parse(await box.ask('status', '--json')).line.state === 'up',
    );
    expect(await first(page)).not.toMatch(words[locale].line);
    await above.cloud.cut();
    await read(page, words[locale].line);
  });

  test.each(looks)('the switch is dead: %s, %d wide', async (locale, width) => {
    await using box = await aUiBox();
    const terminals = await terminalsAt(box, { count: 3 });
    const page = await signedIn(box, locale, width);
    await until('all are here', async () => JSON.parse(await box.ask('status', '--json')).devices.online === 3);
    await terminals.stop();
    await read(page, words[locale].switch);
  });

  suiteWhere(SmallDisk.possible, 'needs root, to mount a small file system', 'on a small disk', () => {
    test.each(looks)('the disk is full: %s, %d wide', async (locale, width) => {
      using disk = new SmallDisk(48);
      await using box = await aUiBox({ data_dir: join(disk.folder, 'data') });
      const page = await signedIn(box, locale, width);
      const { bavail, bsize } = statfsSync(disk.folder);
      await writeFile(join(disk.folder, 'filler'), Buffer.alloc(bavail * bsize - 100_000));
      await read(page, words[locale].disk);
    });
  });
});

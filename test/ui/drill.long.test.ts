import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { aCloud, upstreamTo } from '../support/cloud.ts';
import type { BoxProcess } from '../support/program.ts';
import { deviceIds, productKey } from '../support/site.ts';
import { MqttTerminal } from '../support/terminal.ts';
import { aUiBox, enterAs, urlOf } from '../support/ui-box.ts';

async function openedAt(box: BoxProcess, browser: TestBrowser, locale: 'en-US' | 'zh-CN'): Promise<Page> {
  const page = await browser.page(urlOf(box), { locale, width: 390 });
  await page.goto('/system/drill');
  await enterAs('mei', page);
  return page;
}

/** A power cut, as far as one machine can have it: killed, and started after another boot. */
async function cutPower(box: BoxProcess, meanwhile: () => Promise<void> = async () => {}): Promise<void> {
  await box.kill9();
  const file = join(box.dataDir, 'drill', 'card.json');
  const state = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...state, bootId: 'of another boot' }));
  await meanwhile();
}

const [deviceId] = deviceIds(1) as [string];

const terminalAt = async (box: BoxProcess): Promise<MqttTerminal> =>
  new MqttTerminal({ deviceId, key: productKey }, `mqtts://${box.addresses.mqtts}`, {
    ca: await readFile(join(box.dataDir, 'tls', 'ca.pem')),
  });

/** Buttons and links in the page that a finger misses. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.locator('main').evaluate(main =>
    [...main.querySelectorAll('button, a, input')]
      .filter(one => {
        const { width, height } = one.getBoundingClientRect();
        return height > 0 && (height < 44 || width < 44);
      })
      .map(one => one.textContent ?? one.tagName),
  );

suiteWithBrowser('the drill of the card on a phone', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  test('says when to pull the plug, goes on by itself after each cut, and gives a sheet to sign', async () => {
    await using box = await aUiBox();
    const page = await openedAt(box, browser, 'en-US');
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await smallTargets(page)).toEqual([]);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    for (let cut = 1; cut <= 3; cut++) {
      await page.locator('.sentence', { hasText: `Power cut ${cut} of 3` }).waitFor();
      await page.locator('.sentence', { hasText: 'Pull the plug now' }).waitFor();
      if (cut === 1) {
        expect(await axeFindings(page)).toEqual([]);
        expect(await smallTargets(page)).toEqual([]);
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect(wide).toBeLessThanOrEqual(390);
      }
      await cutPower(box);
      await page.locator('.sentence', { hasText: 'The gateway has no power' }).waitFor();
      expect(Number(await page.locator('.drill-number b').textContent())).toBeGreaterThanOrEqual(200);
      await box.start();
    }
    await page.getByText('The card keeps its word').waitFor();
    expect(await page.getByText(/^Cut [123]: .* no number is missing\.$/).count()).toBe(3);
    expect(await axeFindings(page)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    await page.getByText('Installer: name, date, signature').waitFor();
    expect(await page.getByRole('button', { name: 'Print' }).count()).toBe(0);
  });

  test('names a card that lost what it had acknowledged, in Chinese', async () => {
    await using box = await aUiBox();
    const page = await openedAt(box, browser, 'zh-CN');
    await page.getByRole('button', { name: '开始', exact: true }).click();
    await page.locator('.sentence', { hasText: '现在拔掉电源' }).waitFor();
    await cutPower(box, () => truncate(join(box.dataDir, 'drill', 'cut-1', 'numbers'), 100 * 512));
    await box.start();
    await page.getByText('在真正写入之前就报告“已写入”').waitFor();
    await page.getByText(/最早的是 101。/).waitFor();
    await page.getByText('请购买工业级存储卡').waitFor();
    expect(await page.evaluate<string | null>("localStorage.getItem('gatehouse-drill')")).toBeNull();
  });

  test('asks for the number where another browser or the terminal showed it', async () => {
    await using box = await aUiBox();
    const page = await openedAt(box, browser, 'en-US');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.locator('.sentence', { hasText: 'Power cut 1 of 3' }).waitFor();
    await cutPower(box, () => page.evaluate<void>("localStorage.removeItem('gatehouse-drill')"));
    await box.start();
    await page.getByLabel('Last number').fill('1');
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.locator('.sentence', { hasText: 'Power cut 2 of 3' }).waitFor();
    await page.getByRole('button', { name: 'Stop drill' }).click();
    await page.getByText('The drill was stopped').waitFor();
  });
});

suiteWithBrowser('the drill of the line on a phone', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  test('cuts the line, lets it go by a button, and gives the figures of each device to sign', async () => {
    await using cloud = await aCloud({ limits: false });
    await using box = await aUiBox({ upstream: upstreamTo(cloud) });
    const terminal = await terminalAt(box);
    try {
      const page = await openedAt(box, browser, 'en-US');
      await terminal.say('device');
      await page.getByLabel('Minutes').fill('5');
      expect(await axeFindings(page)).toEqual([]);
      expect(await smallTargets(page)).toEqual([]);
      await page.getByRole('button', { name: 'Disconnect' }).click();
      await page.locator('.sentence', { hasText: /^Disconnected from the cloud until/ }).waitFor();
      await terminal.say('device');
      await page.getByRole('region', { name: 'Cloud connection' }).getByText('1 queued').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await smallTargets(page)).toEqual([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await page.getByRole('button', { name: 'Reconnect now' }).click();
      await page.locator('.sentence', { hasText: 'Reconnected, uploading the queue' }).waitFor();
      await page.getByText('All records reported while disconnected are stored').waitFor();
      const cells = page.locator('.drill-result tbody td');
      expect(await cells.allTextContents()).toEqual([deviceId, '1', '1', '1']);
      expect(await axeFindings(page)).toEqual([]);
      await page.emulateMedia({ media: 'print' });
      await page.getByText('Installer: name, date, signature').waitFor();
      await page.getByText('All records reported while disconnected are stored').waitFor();
      expect(await page.getByRole('button', { name: 'Disconnect' }).count()).toBe(0);
    } finally {
      await terminal.end();
    }
  });

  test('says in Chinese that a box which stands alone has no line to cut', async () => {
    await using box = await aUiBox();
    const page = await openedAt(box, browser, 'zh-CN');
    await page.getByRole('region', { name: '云平台连接' }).getByText('未配置云平台', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: '断开连接' }).count()).toBe(0);
  });
});

suiteWithBrowser('the drill of the terminals on a phone', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  test('ticks off a terminal with its hops, and names on the sheet the one that is missing', async () => {
    await using cloud = await aCloud({ limits: false });
    const devices = [{ device_id: deviceId, name: 'Gate 1' }, { device_id: 'FACE-T1_Z9999' }];
    await using box = await aUiBox({ upstream: upstreamTo(cloud) }, { devices });
    const terminal = await terminalAt(box);
    try {
      const page = await openedAt(box, browser, 'en-US');
      await page.getByRole('button', { name: 'Start terminal check' }).click();
      await page.locator('.sentence', { hasText: '0 of 2 terminals done' }).waitFor();
      await terminal.say('device');
      await page.locator('.sentence', { hasText: '1 of 2 terminals done' }).waitFor();
      await page.getByRole('status').getByText('Gate 1: confirmed by the cloud').waitFor();
      await page.getByText(/^on the disk \+\d+ ms, sent \+\d+ ms, confirmed \+[\d,]+ m?s$/).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await page.getByRole('button', { name: 'End now' }).click();
      await page.getByText('1 of 2 terminals done, the others are listed below').waitFor();
      const rows = page.locator('.drill-result tbody tr');
      expect(await rows.count()).toBe(2);
      expect(await rows.first().textContent()).toContain('FACE-T1_Z9999never heard of');
      expect(await axeFindings(page)).toEqual([]);
      await page.emulateMedia({ media: 'print' });
      await page.getByText('Installer: name, date, signature').waitFor();
      expect(await page.getByRole('button', { name: 'Start terminal check' }).isVisible()).toBe(false);
    } finally {
      await terminal.end();
    }
  });

  test('has a sheet in Chinese that says when the result went to the cloud', async () => {
    await using cloud = await aCloud({ limits: false });
    const asItself = { product_id: 'GATEHOUSE', device_sn: '000001', access_key: 'key-of-the-box' };
    await using box = await aUiBox({ box: asItself, upstream: upstreamTo(cloud, { mode: 'gateway' }) });
    const terminal = await terminalAt(box);
    try {
      await terminal.say('device');
      const page = await openedAt(box, browser, 'zh-CN');
      await page.getByRole('button', { name: '开始终端测试' }).click();
      await page.locator('.sentence', { hasText: '1 台终端中已完成 0 台' }).waitFor();
      await terminal.say('device');
      await page.getByText('1 台终端的打卡全部到达').waitFor();
      const sentUp = page.locator('.drill-result dt', { hasText: /^上传$/ }).locator('+ dd');
      await sentUp.filter({ hasText: /\d{2}:\d{2}/ }).waitFor();
      expect(cloud.cloud.arrivals.of('GATEHOUSE_000001').map(({ topic }) => topic)).toEqual(['log/GATEHOUSE/000001']);
      await page.emulateMedia({ media: 'print' });
      await page.getByText('安装人员：姓名、日期、签字').waitFor();
      await sentUp.waitFor();
      expect(await page.getByRole('button', { name: '打印' }).count()).toBe(0);
    } finally {
      await terminal.end();
    }
  });

  test('says in Chinese which terminals are awaited', async () => {
    await using box = await aUiBox({}, { devices: [{ device_id: 'FACE-T1_Z9999' }] });
    const page = await openedAt(box, browser, 'zh-CN');
    await page.getByRole('button', { name: '开始终端测试' }).click();
    await page.locator('.sentence', { hasText: '1 台终端中已完成 0 台' }).waitFor();
    await page.getByRole('cell', { name: '从未出现' }).waitFor();
    await page.getByRole('button', { name: '立即结束' }).click();
    await page.getByText('未配置云平台：打卡写入网关磁盘即为到达。').waitFor();
    await page.getByText('无结果：1 台终端均无打卡').waitFor();
  });
});

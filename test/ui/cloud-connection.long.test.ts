import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { aCloud } from '../support/cloud.ts';
import type { BoxProcess } from '../support/program.ts';
import { aUiBox, enterAs, urlOf } from '../support/ui-box.ts';

const words = {
  'en-US': {
    ...{ menu: 'More', sync: 'Sync', change: 'Test and change', mode: 'One session for all devices' },
    ...{ mqtt: 'MQTT address', http: 'HTTP address', key: 'Access key of the gateway', ca: 'Root certificate (PEM)' },
    ...{ test: 'Test connection', login: 'Gateway login', failed: 'failed', ok: 'OK', save: 'Save' },
    ...{ serial: 'Serial number of the gateway', go: 'Save and restart', saved: 'Saved, in use' },
    ...{ kept: 'A key is stored. Leave empty to keep it.', again: /Enter the access key again/ },
    ...{ newId: /changes from GATEHOUSE_000001 to GATEHOUSE_2/, cancel: 'Cancel', up: 'connected' },
    ...{ fixed: /^Set by .*gatehouse\.yaml:\d+:\d+: upstream\.device_mqtt/ },
  },
  'zh-CN': {
    ...{ menu: '更多', sync: '同步', change: '测试和修改', mode: '所有设备共用一个连接' },
    ...{ mqtt: 'MQTT 地址', http: 'HTTP 地址', key: '网关的设备密钥', ca: '根证书（PEM）' },
    ...{ test: '测试连接', login: '网关登录', failed: '断开', ok: '正常', save: '保存' },
    ...{ serial: '网关的序列号', go: '保存并重新启动', saved: '已保存并生效' },
    ...{ kept: '已保存密钥，留空则保持不变。', again: /请重新输入设备密钥/ },
    ...{ newId: /由 GATEHOUSE_000001 改为 GATEHOUSE_2/, cancel: '取消', up: '已连接' },
    ...{ fixed: /^由 .*gatehouse\.yaml:\d+:\d+ 指定（upstream\.device_mqtt）/ },
  },
} as const;

const looks = [
  ['en-US', 1280],
  ['zh-CN', 390],
] as const;

suiteWithBrowser('the cloud connection', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  const signedIn = async (box: BoxProcess, path: string, look: object = {}) => {
    const page = await browser.page(urlOf(box), look);
    await page.goto(path);
    await enterAs('mei', page);
    await page.locator('.rail').waitFor();
    return page;
  };
  /** Its ports stay the same when it restarts in place. */
  const aSteadyBox = async (config: Record<string, unknown> = {}) => {
    const box = await aUiBox(config);
    await box.stop();
    await box.start();
    return box;
  };
  const isSound = async (page: Page, where: string) => {
    expect(await axeFindings(page), where).toEqual([]);
    const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(over, where).toBeLessThanOrEqual(0);
  };
  const picture = async (page: Page, name: string) => {
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true });
  };

  test.each(looks)('an IT person connects the gateway to a cloud without SSH: %s, %d wide', async (locale, width) => {
    const text = words[locale];
    await using above = await aCloud();
    await using box = await aSteadyBox();
    const page = await signedIn(box, '/', { locale, width });
    if (width < 600) await page.getByRole('button', { name: text.menu }).click();
    await page.getByRole('link', { name: text.sync, exact: true }).click();
    await page.getByRole('link', { name: text.change }).click();
    const field = (label: string) => page.getByLabel(label, { exact: true });
    await field(text.mqtt).fill(above.cloud.urls.deviceMqtt!);
    await field(text.http).fill(above.cloud.urls.deviceHttp!);
    await page.locator('select[name=mode]').selectOption({ label: text.mode });
    await field(text.ca).fill(await readFile(above.caFile, 'utf8'));
    await field(text.key).fill('a key of another');
    const login = page.getByRole('listitem').filter({ hasText: text.login });
    await page.getByRole('button', { name: text.test }).click();
    await login.getByText(text.failed, { exact: true }).waitFor();
    await field(text.key).fill('key-of-the-box');
    await page.getByRole('button', { name: text.test }).click();
    await login.getByText(text.ok, { exact: true }).waitFor();
    await isSound(page, 'the test');
    await picture(page, `cloud-tested-${locale}`);
    await page.getByRole('button', { name: text.save, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await isSound(page, 'the dialog');
    await picture(page, `cloud-dialog-${locale}`);
    await dialog.getByRole('button', { name: text.go }).click();
    await page.getByText(text.saved).waitFor();
    await page.getByText(text.kept).waitFor();
    expect(await field(text.key).inputValue()).toBe('');
    expect(await page.content()).not.toContain('key-of-the-box');
    await isSound(page, 'what was saved');
    await picture(page, `cloud-${locale}`);

    await field(text.serial).fill('2');
    await page.getByRole('button', { name: text.save, exact: true }).click();
    await dialog.getByText(text.newId).waitFor();
    await picture(page, `cloud-id-${locale}`);
    await dialog.getByRole('button', { name: text.go }).click();
    await dialog.getByText(text.again).waitFor();
    await dialog.getByRole('button', { name: text.cancel }).click();
    await page.goto('/sync');
    await page.locator('section[aria-labelledby=line] dd').filter({ hasText: text.up }).waitFor();
  });

  test.each(looks)('what the config file says is shown as fixed: %s, %d wide', async (locale, width) => {
    const text = words[locale];
    await using box = await aSteadyBox({ upstream: { device_mqtt: 'mqtts://127.0.0.1:9' } });
    const page = await signedIn(box, '/system/network', { locale, width });
    await page.getByText(text.fixed).waitFor();
    await page.locator('section[aria-labelledby=own-network] dd').filter({ hasText: hostname() }).first().waitFor();
    expect(await page.getByLabel(text.mqtt, { exact: true }).isDisabled()).toBe(true);
    expect(await page.getByLabel(text.http, { exact: true }).isDisabled()).toBe(false);
    await isSound(page, 'fixed');
    await picture(page, `cloud-fixed-${locale}`);
  });
});

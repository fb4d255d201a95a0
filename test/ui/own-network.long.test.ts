import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { RealNetworkManager, suiteWithNetworkManager } from '../support/network-manager.ts';
import { aUiBox, enterAs, urlOf } from '../support/ui-box.ts';
import { until } from '../support/until.ts';

const words = {
  'en-US': {
    ...{ region: 'Network of this gateway', edit: 'Edit IP address', names: 'Edit name and time servers' },
    ...{ method: 'IP address (eth9)', address: 'Address and prefix', router: 'Router', change: 'Change address' },
    ...{ otherNetwork: /must be in the same network/, trial: /New address on trial/, test: 'Test time servers' },
    ...{ hostName: 'Host name', servers: 'Time servers', found: 'Name not found', save: 'Save' },
    ...{ notSet: /The IP address is set in the operating system: the system's D-Bus cannot be reached/ },
  },
  'zh-CN': {
    ...{ region: '本网关的网络', edit: '修改 IP 地址', names: '修改主机名和时间服务器' },
    ...{ method: 'IP 地址（eth9）', address: '地址和前缀', router: '路由器', change: '修改地址' },
    ...{ otherNetwork: /须在同一网段/, trial: /正在试用新地址/, test: '检测时间服务器' },
    ...{ hostName: '主机名', servers: '时间服务器', found: '找不到此名称', save: '保存' },
    ...{ notSet: /IP 地址由操作系统设置：无法连接系统的 D-Bus/ },
  },
} as const;

const looks = [
  ['en-US', 1280],
  ['zh-CN', 390],
] as const;

const picture = async (page: Page, name: string) => {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true });
};

async function networkPage(browser: TestBrowser, url: string, look: object): Promise<Page> {
  const page = await browser.page(url, look);
  await page.goto('/system/network');
  await enterAs('mei', page);
  return page;
}

suiteWithNetworkManager('the network of the gateway', () => {
  suiteWithBrowser('on its page', () => {
    let browser: TestBrowser;
    beforeAll(async () => {
      browser = await TestBrowser.open();
    });
    afterAll(async () => browser?.[Symbol.asyncDispose]());

    test.each(looks)(
      'an IT person gives the gateway a fixed address, and sees where to sign in: %s, %d wide',
      async (locale, width) => {
        const said = words[locale];
        await using manager = await RealNetworkManager.start();
        await using box = await aUiBox({}, {}, { DBUS_SYSTEM_BUS_ADDRESS: manager.bus });
        const page = await networkPage(browser, urlOf(box), { locale, width });
        const region = page.getByRole('region', { name: said.region });
        await region.getByRole('button', { name: said.edit }).click();
        const dialog = page.getByRole('dialog', { name: said.edit });
        await dialog.getByLabel(said.method).waitFor();
        await dialog.getByLabel(said.address).fill('192.0.2.7/24');
        await dialog.getByLabel(said.router, { exact: true }).fill('198.51.100.1');
        await dialog.getByRole('button', { name: said.change }).click();
        await dialog.getByText(said.otherNetwork).waitFor();
        expect(await axeFindings(page)).toEqual([]);
        await picture(page, `own-network-edit-${locale}-${width}`);
        await dialog.getByLabel(said.router, { exact: true }).fill('192.0.2.1');
        await dialog.getByRole('button', { name: said.change }).click();

        const { port } = new URL(urlOf(box));
        await region.getByText(said.trial).waitFor();
        const link = region.getByRole('link', { name: `https://192.0.2.7:${port}` });
        expect(await link.getAttribute('href')).toBe(`https://192.0.2.7:${port}/system/network`);
        await until('the new address', async () => (await manager.addresses()).includes('192.0.2.7'));
        expect(await region.getByRole('button', { name: said.edit }).isDisabled()).toBe(true);
        expect(await axeFindings(page)).toEqual([]);
        await picture(page, `own-network-trial-${locale}-${width}`);
      },
    );

    test.each(looks)(
      'time servers are tested before they are saved; without NetworkManager the page says why: %s, %d wide',
      async (locale, width) => {
        const said = words[locale];
        await using box = await aUiBox({});
        // Its ports stay the same when it restarts in place.
        await box.stop();
        await box.start();
        const page = await networkPage(browser, urlOf(box), { locale, width });
        const region = page.getByRole('region', { name: said.region });
        await region.getByText(said.notSet).waitFor();
        expect(await region.getByRole('button', { name: said.edit }).count()).toBe(0);
        await region.getByRole('button', { name: said.names }).click();
        const dialog = page.getByRole('dialog', { name: said.names });
        await dialog.getByLabel(said.servers).fill('ntp.invalid，other.invalid');
        await dialog.getByRole('button', { name: said.test }).click();
        await dialog.getByRole('listitem').filter({ hasText: 'other.invalid' }).getByText(said.found).waitFor();
        expect(await axeFindings(page)).toEqual([]);
        await picture(page, `own-network-names-${locale}-${width}`);
        await dialog.getByRole('button', { name: said.save }).click();
        await region.getByText('ntp.invalid, other.invalid').waitFor();
      },
    );
  });
});

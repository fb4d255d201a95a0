import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BoxStatus } from '../../src/admin/index.ts';
import { parseDeviceId } from '../../src/platform/device-id.ts';
import { realClock, realRandom } from '../../src/runtime/real-world.ts';
import { type SimDevices, startSimDevices, startSimHotspot } from '../../tools/sim/index.ts';
import { axeFindings } from '../support/axe.ts';
import { inAllLooks, suiteWithBrowser, TestBrowser } from '../support/browser.ts';
import { suiteWithBus, TestBus } from '../support/dbus.ts';
import type { BoxProcess } from '../support/program.ts';
import { aBluetooth, inRange } from '../support/site-devices.ts';
import { aUiBox, enterAs, urlOf } from '../support/ui-box.ts';
import { until } from '../support/until.ts';

const looksOfCi = [
  ['en-US', 390],
  ['zh-CN', 820],
] as const;
const looks = inAllLooks
  ? ([...looksOfCi, ['zh-CN', 390], ['en-US', 820], ['en-US', 1280], ['zh-CN', 1280]] as const)
  : looksOfCi;

const words = {
  'en-US': {
    ...{
      code: 'QR code text, device ID or name',
      setUp: 'Set up',
      addProduct: 'Add product',
      productKey: 'Product key',
    },
    ...{ addAndApprove: 'Add and approve device', network: 'Network', send: 'Send to device' },
    ...{ configured: 'is configured and online', test: 'Next: test', devices: 'Devices to test', approved: 'approved' },
    ...{ labels: 'Labels', handOver: 'Next: hand over', report: 'Hand-over report', print: 'Print' },
  },
  'zh-CN': {
    ...{ code: '二维码内容、设备编号或名称', setUp: '配网', addProduct: '添加产品', productKey: '产品密钥' },
    ...{ addAndApprove: '添加并批准该设备', network: '网络', send: '发送给设备' },
    ...{ configured: '配网成功', test: '下一步：试打卡', devices: '待测试设备', approved: '已批准' },
    ...{ labels: '标签', handOver: '下一步：交付', report: '交付报告', print: '打印' },
  },
} as const;

const serial = 'A0001';
const id = `FACE-T1_${serial}`;

async function freePorts(): Promise<{ udp: number; tcp: number }> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const ports = { udp: socket.address().port, tcp: (server.address() as AddressInfo).port };
  await Promise.all([
    new Promise<void>(resolve => socket.close(() => resolve())),
    new Promise(resolve => server.close(resolve)),
  ]);
  return ports;
}

/** Config of a gateway that sees its network and the hotspot of a device. */
const nearHotspot = ({ udp, tcp }: { udp: number; tcp: number }) => ({
  provisioning: {
    bluetooth: 'off',
    wifi: 'simulated',
    hotspot: 'off',
    result_listen: `127.0.0.1:${udp}`,
    simulated_networks: [
      { ssid: 'Plant', key: 'secret123' },
      { ssid: `VENDOR_FACE-T1__${serial}`, key: '', anthenc: 'none', host: `127.0.0.1:${tcp}` },
    ],
  },
});

/** A terminal that waits in its hotspot, and punches twice a second once it is in the network. */
async function aNewTerminal(box: BoxProcess, { udp, tcp }: { udp: number; tcp: number }) {
  const options = {
    clock: realClock,
    random: realRandom,
    url: `mqtts://${box.addresses.mqtts}`,
    ca: await box.ask('trust', 'export', '--edition', 'slim'),
    product: 'FACE-T1',
    productKey: 'key-of-the-product',
    model: 'FT1',
    count: 1,
    firstSerial: serial,
    people: 20,
    rate: 2,
  };
  let devices: SimDevices | null = null;
  const deviceId = parseDeviceId(id);
  if (!deviceId.ok) throw new Error('no device id');
  const opened: string[] = [];
  const hotspot = await startSimHotspot({
    clock: realClock,
    listen: { host: '127.0.0.1', port: tcp },
    deviceId: deviceId.value,
    model: 'FT1',
    network: { ssid: 'Plant', key: 'secret123' },
    resultTo: { host: '127.0.0.1', port: udp },
    connect: async () => {
      devices ??= startSimDevices(options);
      await until('it is connected', () => devices!.stats().connected === 1);
      return true;
    },
    onEvent: message => void (message.includes('its hotspot is open') && opened.push(message)),
  });
  return {
    opened,
    async [Symbol.asyncDispose]() {
      await devices?.[Symbol.asyncDispose]();
      await hotspot[Symbol.asyncDispose]();
    },
  };
}

suiteWithBrowser('an installer', () => {
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await TestBrowser.open();
  });
  afterAll(async () => browser?.[Symbol.asyncDispose]());

  const signedIn = async (box: BoxProcess, look: Parameters<TestBrowser['page']>[1] = {}) => {
    const page = await browser.page(urlOf(box), look);
    await page.goto('/commission');
    await enterAs('mei', page);
    await page.locator('main .sentence').waitFor();
    return page;
  };

  test('finds a device in its hotspot, gives it its wifi, sees its first punch, and prints the hand-over report', async () => {
    const ports = await freePorts();
    await using box = await aUiBox(nearHotspot(ports));
    await using terminal = await aNewTerminal(box, ports);
    const page = await signedIn(box, { width: 360 });
    await page.locator('.sentence', { hasText: 'Find a device to begin' }).waitFor();
    await page.getByRole('button', { name: 'Find devices' }).click();
    await page.getByRole('button', { name: `Set up: VENDOR_FACE-T1__${serial}` }).click();

    const networks = page.getByRole('combobox', { name: 'Network' });
    await networks.selectOption('Plant');
    expect((await networks.textContent())!).not.toContain('VENDOR');
    await page.locator('input[name=key]').fill('not-it-at-all');
    await page.getByRole('button', { name: 'Send to device' }).click();
    await page.getByText('sending the settings of "Plant" (WPA2-PSK-AES)').waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: 'the router connection failed: wrong wifi SSID or password' })
      .waitFor();
    await until('its hotspot is open again', () => terminal.opened.length === 2);
    await page.locator('input[name=key]').fill('secret123');
    await page.getByRole('button', { name: 'Send to device' }).click();
    await page.getByRole('status').filter({ hasText: 'is configured and online at this box.' }).waitFor();

    // What is known of it outlives a reload; the password does not.
    await page.reload();
    await page.getByRole('status').filter({ hasText: 'is configured and online at this box.' }).waitFor();
    expect(await page.evaluate<string>('JSON.stringify({ ...sessionStorage, ...localStorage })')).not.toContain(
      'secret123',
    );

    await page.getByRole('link', { name: '3 Test' }).click();
    const walked = page.getByRole('table', { name: 'Devices to test' }).getByRole('row');
    await walked.filter({ hasText: new RegExp(`${id}.*online.*✓ \\d\\d:\\d\\d:\\d\\d`) }).waitFor();
    await page.getByRole('table', { name: 'Live check-ins' }).getByText('check-in').first().waitFor();
    // Until it is approved, no face reaches it.
    await page.locator('.sentence', { hasText: '0 of 1 device set up and tested' }).waitFor();
    await page.getByRole('button', { name: `Approve: ${id}` }).click();
    await walked.filter({ hasText: '✓ approved' }).waitFor();
    await page.locator('.sentence', { hasText: '1 device set up and tested' }).waitFor();
    const { devices } = JSON.parse(await box.ask('status', '--json')) as BoxStatus;
    expect(devices.people_data_waits).toBe(0);

    await page.getByRole('link', { name: '4 Hand over' }).click();
    await page.getByLabel('Installed by').fill('Chen');
    await page.emulateMedia({ media: 'print' });
    const report = page.getByRole('region', { name: 'Hand-over report' });
    const row = report.getByRole('row').nth(1);
    expect(await row.textContent()).toMatch(
      /Face terminal FT1A0001key verified at login, \d{4}-\d\d-\d\d.*Plant: FACE-T1_A0001 is configured and online at this box.*\d{4}-\d\d-\d\d.*approved$/,
    );
    expect(await report.textContent()).toContain('GATEHOUSE_000001');
    expect(await report.getByText('Chen').isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    expect(await page.getByRole('navigation').first().isVisible()).toBe(false);
    expect(page.foreign).toEqual([]);
  });

  test.each(looks)(
    'a device of a new product goes from the code on its label to the hand-over in at most ten taps: %s, %d wide',
    async (locale, width) => {
      const ports = await freePorts();
      await using box = await aUiBox(nearHotspot(ports), { products: [] });
      await using _terminal = await aNewTerminal(box, ports);
      const page = await signedIn(box, { locale, width });
      const text = words[locale];
      let taps = 0;
      const tap = async (what: Locator) => {
        taps++;
        await what.click();
      };
      const isSound = async () => {
        expect(await axeFindings(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      };
      const button = (name: string) => page.getByRole('button', { name, exact: true });
      await page.getByLabel(text.code).fill(`https://q.example.com/app/com_x/d/${id}/activate?product=FACE-T1`);
      await tap(button(text.setUp));

      await tap(button(text.addProduct));
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(text.productKey).fill('key-of-the-product');
      await tap(dialog.getByRole('button', { name: text.addAndApprove }));
      await dialog.waitFor({ state: 'detached' });

      const networks = page.getByRole('combobox', { name: text.network });
      await networks.getByRole('option', { name: 'Plant' }).waitFor({ state: 'attached' });
      expect(await networks.inputValue()).toBe('Plant');
      await page.locator('input[name=key]').fill('secret123');
      await isSound();
      await tap(button(text.send));
      await page.getByRole('status').filter({ hasText: text.configured }).waitFor();

      await tap(page.getByRole('link', { name: text.test, exact: true }));
      const walked = page.getByRole('table', { name: text.devices }).getByRole('row').filter({ hasText: id });
      await walked.getByText(/^✓? ?\d\d:\d\d:\d\d/).waitFor();
      await walked.getByText(text.approved).waitFor();
      await isSound();
      const labels = page.getByRole('link', { name: text.labels, exact: true });
      expect(await labels.getAttribute('href')).toBe(`/admin/v1/labels?device=${id}&sheet=50x30`);

      await tap(page.getByRole('link', { name: text.handOver, exact: true }));
      await page.getByRole('region', { name: text.report }).getByText(serial, { exact: true }).waitFor();
      await isSound();
      await tap(button(text.print));
      expect(taps).toBeLessThanOrEqual(10);
    },
  );

  test('takes a device by the text of its code to its setup, and says when that is not one', async () => {
    await using box = await aUiBox();
    const page = await signedIn(box);
    await page.getByText(/Bluetooth and Wi-Fi are off/).waitFor();
    const code = page.getByLabel('QR code text, device ID or name');
    const setUp = page.getByRole('button', { name: 'Set up', exact: true });
    await code.fill('https://example.com/lunch');
    await setUp.click();
    await page.getByText('Not a device code.').waitFor();
    await code.fill(`https://q.example.com/app/com_x/d/face-t1_a0042/activate?product=FACE-T1`);
    await setUp.click();
    await page.getByLabel('Network name').waitFor();
    expect(await page.getByRole('heading', { name: 'Product key' }).count()).toBe(0);
    await page.getByRole('link', { name: '1 Find' }).click();
    await code.fill(`https://q.example.com/app/com_x/d/OTHER-1_7/activate?product=OTHER-1`);
    await setUp.click();
    await page.getByText('Product OTHER-1 is new at this site').waitFor();
    await page.locator('.sentence', { hasText: '0 of 2 devices set up and tested' }).waitFor();
  });

  test('reads in Chinese why a device got no network', async () => {
    await using box = await aUiBox();
    const page = await signedIn(box, { locale: 'zh-CN' });
    await page.getByLabel('二维码内容、设备编号或名称').fill('FACE-T1_A0042');
    await page.getByRole('button', { name: '配网', exact: true }).click();
    await page.getByLabel('Wi-Fi 名称').fill('Plant');
    await page.getByRole('button', { name: '发送给设备' }).click();
    await page.getByRole('alert').filter({ hasText: '本网关未启用 Wi-Fi' }).waitFor();
    // Nothing that cannot work is offered: this gateway has no Bluetooth.
    expect(await page.getByRole('button', { name: '验证', exact: true }).count()).toBe(0);
  });

  test("starts the box's own network again, and only after the word was typed", async () => {
    await using box = await aUiBox({
      provisioning: {
        bluetooth: 'off',
        wifi: 'simulated',
        hotspot: '127.0.0.1:0',
        result_listen: 'off',
        result_broadcast: '127.0.0.1:9',
        simulated_networks: [{ ssid: 'Plant', key: 'secret123' }],
      },
    });
    const page = await signedIn(box);
    await page.getByRole('link', { name: 'Gateway network' }).click();
    await page.getByText('Ready for setup by phone').waitFor();
    await page.getByRole('button', { name: 'Forget network' }).click();
    const dialog = page.getByRole('dialog');
    const go = dialog.getByRole('button', { name: 'Forget network' });
    expect(await go.isDisabled()).toBe(true);
    await dialog.getByLabel('Type forget to confirm').fill('forget');
    await go.click();
    await page.getByText('Network forgotten. The gateway is ready for setup by phone.').waitFor();
    const audit = JSON.parse(await page.evaluate(async () => (await fetch('/admin/v1/audit')).text()));
    expect(audit.rows[0]).toMatchObject({ actor: 'mei', action: 'POST /setup/reset-network' });
  });
});

suiteWithBus('an installer with Bluetooth', () => {
  suiteWithBrowser('verifies', () => {
    test.each([
      ['key-of-the-product', 'Signed with the product key, written as hex.', /✓ genuine/],
      ['stolen', 'Signed with a key that is not known here', /✗ not genuine/],
    ])('a device that signs with %s', async (key, message, listed) => {
      await using bus = await TestBus.open();
      await inRange(await aBluetooth(bus), { key });
      await using box = await aUiBox(
        { provisioning: { wifi: 'off', result_listen: 'off' } },
        {},
        { DBUS_SYSTEM_BUS_ADDRESS: bus.address },
      );
      await using browser = await TestBrowser.open();
      const page = await browser.page(urlOf(box));
      await page.goto('/commission');
      await enterAs('mei', page);
      await page.getByRole('button', { name: 'Find devices' }).click();
      await page.getByRole('button', { name: /^Set up: VENDOR_FACE-T1__A0001/ }).click();
      await page.getByRole('button', { name: 'Verify' }).click();
      await page.getByRole('status').filter({ hasText: message }).waitFor();
      const list = page.getByRole('table', { name: 'Devices to set up' });
      expect(await list.getByRole('row', { name: /FACE-T1_A0001/ }).textContent()).toMatch(listed);
    });
  });
});

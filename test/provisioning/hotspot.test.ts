import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { SiteDeviceFailure } from '../../src/provisioning/site-devices/failure.ts';
import { HotspotClient } from '../../src/provisioning/site-devices/hotspot.ts';
import type { Wifi } from '../../src/provisioning/wifi/port.ts';
import { simulatedWifi } from '../../src/provisioning/wifi/simulated.ts';
import { inChinese } from '../../src/words/sentences.ts';
import { siteDeviceFailures } from '../../src/words/site-devices.ts';
import { HandClock } from '../support/clock.ts';
import { aSetUp } from '../support/site-devices.ts';

/** A device that answers as it likes. */
async function aHotspot(answers: Readonly<Record<string, unknown>>) {
  const heard: { path: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    heard.push({ path: request.url!, body });
    const answer = answers[request.url!];
    if (answer === 'hangs') return;
    response.end(typeof answer === 'string' || Buffer.isBuffer(answer) ? answer : JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const clock = new HandClock();
  const { port } = server.address() as AddressInfo;
  return {
    heard,
    clock,
    port,
    client: new HotspotClient({ host: '127.0.0.1', port }, clock),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
const { signal } = new AbortController();

test('answers are read as devices write them', async () => {
  await using device = await aHotspot({
    '/device/query': { code: 0, data: { sn: 'A0001', model: 'FT1', version: 3 } },
    '/wifi/list': {
      code: '0',
      msg: 'ok',
      data: [
        { ssid: 'far', anthenc: 'WPA2-PSK-AES', quality: '-90' },
        { ssid: 'near', authenc: 'wpa2_psk_aes', quality: 4 },
        { ssid: 'odd', anthenc: 'tin foil' },
        { ssid: '' },
        null,
      ],
    },
    '/wifi/setting': { code: '0', msg: '' },
  });
  expect(await device.client.query(signal)).toEqual({ sn: 'A0001', model: 'FT1', version: '3' });
  expect(await device.client.list(signal)).toEqual([
    { ssid: 'near', security: 'WPA2-PSK-AES', written: 'wpa2_psk_aes', quality: 80 },
    { ssid: 'far', security: 'WPA2-PSK-AES', written: 'WPA2-PSK-AES', quality: 20 },
    { ssid: 'odd', security: null, written: 'tin foil', quality: null },
  ]);
  await device.client.set({ ssid: 'near', authenc: 'WPA2-PSK-AES', key: 'secret123' }, signal);
  expect(device.heard.map(({ path, body }) => [path, body])).toEqual([
    ['/device/query', ''],
    ['/wifi/list', ''],
    ['/wifi/setting', '{"ssid":"near","authenc":"WPA2-PSK-AES","key":"secret123"}'],
  ]);
});

test('data may be missing or empty; a code that is not 0, no JSON, too much, and silence are said', async () => {
  await using device = await aHotspot({
    '/wifi/list': { code: '0', data: '' },
    '/wifi/setting': { code: 12, msg: 'busy' },
    '/device/query': 'x'.repeat(100_000),
  });
  expect(await device.client.list(signal)).toEqual([]);
  await expect(device.client.set({ ssid: 'a', authenc: 'none', key: '' }, signal)).rejects.toThrow('code 12, "busy"');
  await expect(device.client.query(signal)).rejects.toThrow(/larger than 65536 bytes/);
  await using other = await aHotspot({ '/wifi/list': '<html>', '/device/query': 'hangs' });
  await expect(other.client.list(signal)).rejects.toMatchObject({ code: 'garbled' });
  const waiting = other.client.query(signal);
  waiting.catch(() => {});
  await other.clock.advance(11_000);
  await expect(waiting).rejects.toThrow(/no answer within 10 s/);
  const { said }: SiteDeviceFailure = await waiting.catch(error => error);
  expect(inChinese(said, siteDeviceFailures)).toMatch(/^无法访问 .+：10 秒内没有响应。/);
  await expect(new HotspotClient({ host: '127.0.0.1', port: 1 }, other.clock).query(signal)).rejects.toMatchObject({
    code: 'unreachable',
  });
});

test('a box whose only network is its wifi leaves it only when allowed, and comes back', async () => {
  await using device = await aHotspot({
    '/device/query': { code: 0, data: { sn: 'A0001', model: 'FT1' } },
    '/wifi/list': { code: 0, data: [] },
  });
  const clock = new HandClock();
  const left: string[] = [];
  const simulated = simulatedWifi([{ ssid: 'VENDOR_FACE-T1__A0001', key: '', anthenc: 'none', quality: '70' }], clock);
  const wifi: Wifi = {
    ...simulated,
    hasNetwork: async () => true,
    scan: async () => [{ ssid: 'VENDOR_FACE-T1__A0001', security: 'none', quality: 70 }],
    join: async () => ({ ok: true, place: { mac: '', address: '', mask: '', gateway: '' } }),
    forget: async which => void left.push(which),
  };
  await using box = await aSetUp({
    clock,
    openRadio: null,
    wifi,
    hasWire: () => false,
    hotspotAt: () => ({ host: '127.0.0.1', port: device.port }),
  });
  const target = { target: 'FACE-T1_A0001' };
  await expect(box.devices.info(target, box.onEvent)).rejects.toMatchObject({ code: 'would_leave' });
  expect(await box.devices.info({ ...target, leave: true }, box.onEvent)).toMatchObject({
    device_id: 'FACE-T1_A0001',
    via: 'hotspot',
  });
  expect(left).toEqual(['passing']);
  expect(box.said.map(line => line.split(':')[0])).toEqual([
    'looking',
    'looking',
    'leaving',
    'connecting',
    'asking',
    'identified',
    'back',
  ]);
  await expect(box.devices.info({ target: 'VENDOR_NOBODY', leave: true }, box.onEvent)).rejects.toThrow(
    /heard: VENDOR_FACE/,
  );
});

/** 车间 in GBK, and what a device makes of a list that has it beside a name in UTF-8. */
const workshop = Buffer.from([0xb3, 0xb5, 0xbc, 0xe4]);
const listOf = (...names: Buffer[]) =>
  Buffer.concat([
    Buffer.from('{"code":"0","data":['),
    ...names.flatMap((name, index) => [
      Buffer.from(`${index === 0 ? '' : ','}{"ssid":"`),
      name,
      Buffer.from('","anthenc":"WPA2-PSK-AES","quality":"80"}'),
    ]),
    Buffer.from(']}'),
  ]);

test('a network whose name is no UTF-8 in the air is listed by its name, and refused with the remedy before anything is sent', async () => {
  await using device = await aHotspot({
    '/device/query': { code: 0, data: { sn: 'A0001', model: 'FT1' } },
    '/wifi/list': listOf(workshop, Buffer.from('二号')),
    '/wifi/setting': { code: 1, msg: 'no' },
  });
  await using box = await aSetUp({ openRadio: null });
  const target = { target: '', host: { host: '127.0.0.1', port: device.port } };
  const { networks } = await box.devices.info(target, box.onEvent);
  expect(networks).toMatchObject([
    { ssid: '车间', utf8: false },
    { ssid: '二号', utf8: true },
  ]);
  const refused = expect.objectContaining({
    code: 'not_utf8',
    message: expect.stringMatching(/"车间".*GBK.*UTF-8 only.*in the router/),
  });
  const set = (ssid: string) => box.devices.setWifi({ ...target, ssid, key: 'secret123' }, box.onEvent);
  await expect(set('车间')).rejects.toEqual(refused);
  await expect(set('\ufffd\ufffd')).rejects.toMatchObject({ code: 'not_utf8' });
  expect(device.heard.map(({ path }) => path)).not.toContain('/wifi/setting');
  await expect(set('二号')).rejects.toMatchObject({ code: 'device_error' });
});

test('of two networks of one name the one in UTF-8 is meant', async () => {
  await using device = await aHotspot({
    '/device/query': { code: 0, data: { sn: 'A0001', model: 'FT1' } },
    '/wifi/list': listOf(workshop, Buffer.from('车间')),
    '/wifi/setting': { code: 1, msg: 'no' },
  });
  await using box = await aSetUp({ openRadio: null });
  const settings = { target: '', host: { host: '127.0.0.1', port: device.port }, ssid: '车间', key: 'secret123' };
  await expect(box.devices.setWifi(settings, box.onEvent)).rejects.toMatchObject({ code: 'device_error' });
});

test('the networks that a device may be given are those in range whose names it can be told', async () => {
  const inRange = { security: 'WPA2-PSK-AES', quality: 80 } as const;
  const wifi = {
    ...simulatedWifi([], new HandClock()),
    whyNot: async () => null,
    scan: async () => [
      { ...inRange, ssid: 'Plant' },
      { ...inRange, ssid: 'VENDOR_FACE-T1__A0001' },
      { ...inRange, ssid: 'caf\ufffd', bytes: Buffer.from('636166e9', 'hex') },
    ],
  };
  await using box = await aSetUp({ wifi, openRadio: null });
  expect(await box.devices.networks()).toEqual([{ ...inRange, ssid: 'Plant' }]);
  await using without = await aSetUp({ openRadio: null });
  expect(await without.devices.networks()).toEqual([]);
});

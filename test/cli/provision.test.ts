import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { suiteWithBus, TestBus } from '../support/dbus.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite, productKey } from '../support/site.ts';
import { aBluetooth, inRange } from '../support/site-devices.ts';
import { until } from '../support/until.ts';

const gatehouse = process.env.GATEHOUSE_BINARY ?? fileURLToPath(new URL('../../bin/gatehouse', import.meta.url));

async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  await new Promise(resolve => socket.close(() => resolve(null)));
  return port;
}

describe('a device that is set up by its hotspot', () => {
  let box: BoxProcess;
  let results: number;
  let hotspot: number;
  beforeAll(async () => {
    results = await freePort();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    hotspot = (taken.address() as AddressInfo).port;
    await new Promise(resolve => taken.close(resolve));
    box = await BoxProcess.start(
      {
        provisioning: {
          bluetooth: 'off',
          wifi: 'simulated',
          hotspot: 'off',
          result_listen: `127.0.0.1:${results}`,
          simulated_networks: [
            { ssid: 'Plant', key: 'secret123' },
            { ssid: 'VENDOR_FACE-T1__A0001', key: '', anthenc: 'none', host: `127.0.0.1:${hotspot}` },
          ],
        },
      },
      aSite(),
    );
  });
  afterAll(() => box?.[Symbol.asyncDispose]());

  test('is found, says who it is, refuses a wrong password, takes the right one, and comes online', async () => {
    const file = (name: string, text: string) => {
      writeFileSync(join(box.folder, name), text);
      return join(box.folder, name);
    };
    await box.ask('trust', 'export', '--out', join(box.folder, 'trust.pem'));
    const device = spawn(
      gatehouse,
      [
        ...['sim', 'device', '--product', 'FACE-T1', '--model', 'FT1', '--key-file', file('product.key', productKey)],
        ...['--mqtts', box.addresses.mqtts!, '--ca', join(box.folder, 'trust.pem'), '--rate', '0'],
        ...['--hotspot', `127.0.0.1:${hotspot}`, '--network', 'Plant'],
        ...['--network-key-file', file('wifi.key', 'secret123\n'), '--result', `127.0.0.1:${results}`],
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    try {
      let said = '';
      device.stderr.setEncoding('utf8').on('data', text => {
        said += text;
      });
      await until('its hotspot is open', () => said.includes('its hotspot is open'));
      expect(await box.ask('provision', 'scan')).toMatch(/VENDOR_FACE-T1__A0001 +- +80 % +hotspot/);
      const info = await box.ask('provision', 'info', 'FACE-T1_A0001');
      expect(info).toContain('device id  FACE-T1_A0001');
      expect(info).toContain('Plant (WPA2-PSK-AES, 78 %)');

      const wrong = await box.run(
        ...['provision', 'wifi', 'FACE-T1_A0001', '--ssid', 'Plant', '--key-file', file('wrong.key', 'not-it-at-all')],
      );
      expect([wrong.status, wrong.stdout]).toEqual([1, expect.stringContaining('wrong wifi SSID or password')]);
      await until('its hotspot is open again', () => said.match(/its hotspot is open/g)?.length === 2);

      const right = await box.run(
        ...['provision', 'wifi', '--host', `127.0.0.1:${hotspot}`, '--ssid', 'Plant', '--json'],
        ...['--key-file', join(box.folder, 'wifi.key')],
      );
      expect(JSON.parse(right.stdout)).toMatchObject({ device_id: 'FACE-T1_A0001', configured: true, online: true });
      expect(right.stderr).toContain('sending the settings of "Plant" (WPA2-PSK-AES)');
      await until('its result is there', async () =>
        (await box.ask('provision', 'results')).includes('FACE-T1_A0001 (FT1), '),
      );
      const [kept] = JSON.parse(await box.ask('provision', 'results', '--json'));
      expect(kept).toMatchObject({ device_id: 'FACE-T1_A0001', via: 'udp', status: 0, address: '127.0.0.1' });
      for (const text of [right.stdout, right.stderr, wrong.stderr, box.stderr]) {
        expect(text).not.toContain('secret123');
        expect(text).not.toContain('not-it-at-all');
      }
    } finally {
      device.kill('SIGKILL');
    }
  });

  test('verification asks for Bluetooth, a wrong word for usage, a stopped box to be started', async () => {
    const verify = await box.run('provision', 'verify', 'FACE-T1_A0001', '--via', 'hotspot');
    expect([verify.status, verify.stderr]).toEqual([1, expect.stringContaining('over Bluetooth alone')]);
    const off = await box.run('provision', 'info', 'FACE-T1_A0001', '--via', 'bluetooth');
    expect([off.status, off.stderr]).toEqual([1, expect.stringContaining('Bluetooth is off on this box')]);
    const nothing = await box.run('provision', 'info');
    expect([nothing.status, nothing.stderr]).toEqual([2, expect.stringContaining('TARGET is missing')]);
    await box.stop();
    const stopped = await box.run('provision', 'scan');
    expect([stopped.status, stopped.stderr]).toEqual([1, expect.stringContaining('start it with `gatehouse serve`')]);
    expect((await box.run('provision', 'results')).status).toBe(0);
  });
});

suiteWithBus('a device that is set up over Bluetooth', () => {
  test('is found, verified and configured by the commands', async () => {
    await using bus = await TestBus.open();
    const bluez = await aBluetooth(bus);
    await inRange(bluez, { key: productKey });
    await using box = await BoxProcess.start({ provisioning: { wifi: 'off', result_listen: 'off' } }, aSite(), {
      DBUS_SYSTEM_BUS_ADDRESS: bus.address,
    });
    expect(await box.ask('provision', 'scan', '--seconds', '1')).toContain(
      'VENDOR_FACE-T1__A0001  C8:00:00:00:00:01  78 %',
    );
    expect(await box.ask('provision', 'verify', 'FACE-T1_A0001')).toBe(
      'FACE-T1_A0001: genuine: signed with the product key, written as hex\n',
    );
    writeFileSync(join(box.folder, 'wrong.key'), 'not-it-at-all');
    const wrong = await box.run(
      ...['provision', 'wifi', 'FACE-T1_A0001', '--ssid', 'Plant', '--key-file', join(box.folder, 'wrong.key')],
    );
    expect([wrong.status, wrong.stdout]).toEqual([1, expect.stringMatching(/wrong wifi SSID.*try --form repeat/)]);
    await bluez.control('RemoveAdapter', 's', 'hci0');
    const gone = await box.run('provision', 'scan');
    expect([gone.status, gone.stderr]).toEqual([1, expect.stringContaining('has no Bluetooth adapter')]);
  });
});

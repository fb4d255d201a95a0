import { crc32 } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { type MockService, ourTemplate, suiteWithBus, TestBus } from '../support/dbus.ts';
import { BluetoothPhone, field, frame, ResultEar, readResult, wifiFrame } from '../support/phone.ts';
import { BoxProcess } from '../support/program.ts';
import { until } from '../support/until.ts';

/**
 * The box is set up by a phone: the whole program, on a bus with a simulated BlueZ and
 * NetworkManager, the phone written from SPEC.
 */

// What is missing is looked for again every five seconds, and a result is told several times.
const key = 'box-product-key';
const name = 'VENDOR_GATEHOUSE_000001';
const psk = 0x100 | 0x8;

interface Here {
  readonly bus: TestBus;
  readonly bluez: MockService;
  readonly manager: MockService;
  readonly box: BoxProcess;
  readonly ear: ResultEar;
  readonly phone: BluetoothPhone;
}

let parts = new AsyncDisposableStack();
afterEach(async () => {
  await parts.disposeAsync();
  parts = new AsyncDisposableStack();
});

async function aBox(ear: ResultEar, bus: TestBus, more: Record<string, unknown> = {}): Promise<BoxProcess> {
  const config = {
    box: { product_id: 'GATEHOUSE', device_sn: '000001', model: 'GH1', product_key: key },
    provisioning: {
      bluetooth: 'bluez',
      wifi: 'networkmanager',
      hotspot: '127.0.0.1:0',
      hotspot_key: 'setup-pass-1',
      result_broadcast: ear.address,
      result_listen: 'off',
    },
    ...more,
  };
  const box = parts.use(await BoxProcess.start(config, {}, { DBUS_SYSTEM_BUS_ADDRESS: bus.address }));
  // This machine has a network: a first start has nothing to set up, after a reset it has.
  await box.ask('reset', '--network');
  return box;
}

/** A box that waits to be set up, with the network Plant (WPA2, `right-password`) in the air. */
async function aShelf(more: Record<string, unknown> = {}): Promise<Here> {
  const bus = parts.use(await TestBus.open());
  const ear = parts.use(await ResultEar.open());
  const bluez = await bus.mock(ourTemplate('bluez5_gatehouse'));
  await bluez.control('AddAdapter', 'ss', 'hci0', 'box');
  const manager = await bus.mock(ourTemplate('networkmanager_gatehouse'));
  await manager.control('AddWifi', 's', 'wlan0');
  await manager.control('AddNetwork', 'ssusuuu', 'Plant', 'right-password', 70, 'ok', 1, 0, psk);
  const box = await aBox(ear, bus, more);
  return { bus, bluez, manager, box, ear, phone: new BluetoothPhone(bluez) };
}

const setup = async (box: BoxProcess) => JSON.parse(await box.ask('setup', '--json'));
const isOpen = (box: BoxProcess) =>
  until('a phone may set the box up', async () => {
    const report = await setup(box);
    return report.mode === 'open' && report.hotspot !== null ? (report.hotspot as string) : null;
  });
const post = async (host: string, path: string, body?: unknown) => {
  const answer = await fetch(`http://${host}${path}`, {
    method: 'POST',
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return answer.json();
};

suiteWithBus('a box that a phone sets up', () => {
  test('a phone finds it by Bluetooth under its broadcast name, reads what it is and verifies it', async () => {
    const { bluez, phone } = await aShelf();
    await phone.connect();
    const advertised = await until('it is advertised', () => bluez.control('Advertisement'));
    expect(advertised).toMatchObject({ LocalName: { value: name } });
    expect(await phone.asks(frame(0x01))).toEqual(
      frame(0x01, Buffer.concat([field('GATEHOUSE_000001'), field('GH1')])),
    );
    const signature = crc32(`GATEHOUSE_000001-r4nd0m-${key}`).toString(16).padStart(8, '0');
    const reply = Buffer.concat([field(signature), field('GATEHOUSE_000001'), field('GH1')]);
    expect(await phone.asks(frame(0x02, Buffer.from('r4nd0m')))).toEqual(frame(0x02, reply));
    // SPEC's own sample asks under 0x01.
    expect(await phone.asks(frame(0x01, Buffer.from('r4nd0m')))).toEqual(frame(0x01, reply));
  });

  test('it answers errors by the codes of SPEC 7.5, and goes on', async () => {
    const { phone } = await aShelf();
    await phone.connect();
    const broken = frame(0x01);
    broken[broken.length - 1]! ^= 0xff;
    expect((await phone.asks(broken)).subarray(4, 8)).toEqual(Buffer.from([0x00, 0x00, 22, 0x02]));
    expect((await phone.asks(frame(0x7e))).subarray(4, 8)).toEqual(Buffer.from([0x00, 0x00, 21, 0x03]));
    expect((await phone.asks(frame(0x03, Buffer.from([9, 65])))).subarray(7, 8)).toEqual(Buffer.from([0x01]));
    // Packets of 20 bytes, the last filled up with zeros, garbage before.
    await phone.write(Buffer.from('garbage'));
    expect((await phone.asks(Buffer.concat([frame(0x01), Buffer.alloc(12)])))[4]).toBe(0x01);
  });

  test('a wrong wifi password is -2 with error -3 by Bluetooth and UDP, and the box can be set up again; the right one is 0, told at least three times', async () => {
    const { bluez, manager, box, ear, phone } = await aShelf();
    await phone.connect();
    await isOpen(box);
    const failed = readResult(await phone.asks(wifiFrame('Plant', 'wrong-password', key)));
    expect(failed).toMatchObject({ deviceId: 'GATEHOUSE_000001', status: -2, error: -3, address: '0.0.0.0' });
    await ear.hears(3, -2);
    await isOpen(box);
    expect((await setup(box)).last).toMatchObject({ status: -2, error: -3, ssid: 'Plant' });
    const done = readResult(await phone.asks(wifiFrame('Plant', 'right-password', key)));
    expect(done).toEqual({
      deviceId: 'GATEHOUSE_000001',
      model: 'GH1',
      status: 0,
      error: null,
      mac: '11:22:33:44:55:66',
      address: '192.168.50.17',
      mask: '255.255.255.0',
      gateway: '192.168.50.1',
    });
    const heard = await ear.hears(3, 0);
    expect(heard[0]).toEqual(done);
    await until('it is no longer to be set up', async () => (await setup(box)).mode === 'ready');
    expect(await bluez.control('Registered')).toEqual([]);
    expect(await manager.control('Saved')).toEqual(['gatehouse-wifi']);
    expect(await manager.control('Profiles')).toEqual(['gatehouse-wifi']);
    // Hotspot, attempt, hotspot, attempt: one radio does one thing at a time.
    expect(await manager.control('Activated')).toEqual([
      `ap ${name} setup-pass-1 127.0.0.1`,
      'infrastructure Plant wrong-password',
      `ap ${name} setup-pass-1 127.0.0.1`,
      'infrastructure Plant right-password',
    ]);
    expect(box.stderr).not.toContain('right-password');
  });

  test('a password that no key of the box opens is ignored: the phone hears nothing, the log says why', async () => {
    const { box, phone } = await aShelf();
    await phone.connect();
    await isOpen(box);
    await phone.write(wifiFrame('Plant', 'right-password', 'key-of-another'));
    await until('the log says why', () => box.stderr.includes('no key of the box opens the password'));
    expect((await setup(box)).mode).toBe('open');
  });

  test('in its hotspot: the networks of SPEC 4.3, the answer before it leaves, the result by UDP', async () => {
    const { box, ear } = await aShelf();
    let host = await isOpen(box);
    expect(await post(host, '/wifi/list')).toEqual({
      code: '0',
      msg: 'ok',
      data: [{ ssid: 'Plant', anthenc: 'WPA2-PSK-AES', quality: '70' }],
    });
    const wrong = { ssid: 'Plant', authenc: 'WPA2-PSK-AES', key: 'wrong-password' };
    expect(await post(host, '/wifi/setting', wrong)).toEqual({ code: '0', msg: 'ok' });
    await ear.hears(1, -2);
    host = await isOpen(box);
    expect(await post(host, '/device/query')).toMatchObject({
      code: '0',
      data: { sn: '000001', model: 'GH1', last_status: '-2', last_error: '-3' },
    });
    expect(await post(host, '/wifi/setting', { ssid: 'Plant', key: 'right-password' })).toEqual({
      code: '0',
      msg: 'ok',
    });
    expect((await ear.hears(3, 0))[0]!).toMatchObject({ address: '192.168.50.17', error: null });
  });

  test('a router without addresses and a hidden network that is typed: -1 with error -2, and 0', async () => {
    const { box, ear, manager } = await aShelf();
    await manager.control('AddNetwork', 'ssusuuu', 'Dry', 'right-password', 60, 'no-dhcp', 1, 0, psk);
    await manager.control('AddNetwork', 'ssusuuu', 'Hidden', 'right-password', 60, 'hidden', 1, 0, psk);
    await post(await isOpen(box), '/wifi/setting', { ssid: 'Dry', key: 'right-password' });
    expect((await ear.hears(1, -1))[0]!.error).toBe(-2);
    await post(await isOpen(box), '/wifi/setting', { ssid: 'Hidden', authenc: 'WPA2-PSK-AES', key: 'right-password' });
    await ear.hears(1, 0);
  });

  test('a platform that is not there is status 1 with error 2: configured all the same', async () => {
    const { box, ear } = await aShelf({ upstream: { device_mqtt: 'mqtts://127.0.0.1:1' } });
    await post(await isOpen(box), '/wifi/setting', { ssid: 'Plant', key: 'right-password' });
    expect((await ear.hears(1, 1))[0]!).toMatchObject({ error: 2, address: '192.168.50.17' });
  });

  test('a platform whose name cannot be resolved is status -1 with error 1, and the box opens again', async () => {
    const { box, ear } = await aShelf({ upstream: { device_mqtt: 'mqtts://nowhere.invalid:8883' } });
    await post(await isOpen(box), '/wifi/setting', { ssid: 'Plant', key: 'right-password' });
    expect((await ear.hears(1, -1))[0]!).toMatchObject({ error: 1, address: '192.168.50.17' });
    await isOpen(box);
  });

  test('it is set up for good: a restart asks nobody; a reset forgets the network and opens it again', async () => {
    const { box, ear, manager } = await aShelf();
    await post(await isOpen(box), '/wifi/setting', { ssid: 'Plant', key: 'right-password' });
    await ear.hears(1, 0);
    await until('it is done', async () => (await setup(box)).mode === 'ready');
    await box.kill9();
    await box.start();
    expect((await setup(box)).mode).toBe('ready');
    await box.stop();
    expect(await box.ask('reset', '--network')).toContain('at the next start');
    await box.start();
    await isOpen(box);
    expect(await manager.control('Profiles')).toEqual(['gatehouse-hotspot']);
  });

  test('no adapter at first, one that refuses, one that is unplugged in the middle: said, and found again by itself', async () => {
    const bus = parts.use(await TestBus.open());
    const ear = parts.use(await ResultEar.open());
    const bluez = await bus.mock(ourTemplate('bluez5_gatehouse'));
    const manager = await bus.mock(ourTemplate('networkmanager_gatehouse'));
    await manager.control('AddWifi', 's', 'wlan0');
    const box = await aBox(ear, bus);
    await isOpen(box);
    await until('it says so', async () => (await setup(box)).bluetooth?.includes('there is no Bluetooth adapter'));
    await bluez.control(
      'RefuseNextRegistration',
      'ss',
      'org.bluez.Error.NotPermitted',
      'Maximum advertisements reached',
    );
    await bluez.control('AddAdapter', 'ss', 'hci0', 'box');
    await until('it says so', async () => (await setup(box)).bluetooth?.includes('org.bluez.Error.NotPermitted'));
    const phone = await new BluetoothPhone(bluez).connect();
    expect((await phone.asks(frame(0x01)))[4]).toBe(0x01);
    await bluez.control('RemoveAdapter', 's', 'hci0');
    await until('it says so', async () => (await setup(box)).bluetooth?.includes('no Bluetooth adapter'));
    await bluez.control('AddAdapter', 'ss', 'hci0', 'box');
    await phone.connect();
    expect((await setup(box)).mode).toBe('open');
  });

  test('without D-Bus the box runs; when D-Bus comes, it can be set up, also when it goes and comes once more', async () => {
    const bus = parts.use(await TestBus.open({ daemon: false }));
    const ear = parts.use(await ResultEar.open());
    const box = await aBox(ear, bus);
    await until('it says so', async () => (await setup(box)).why.includes("the system's D-Bus cannot be reached"));
    for (let round = 0; round < 2; round++) {
      await bus.start();
      const manager = await bus.mock(ourTemplate('networkmanager_gatehouse'));
      await manager.control('AddWifi', 's', 'wlan0');
      const bluez = await bus.mock(ourTemplate('bluez5_gatehouse'));
      await bluez.control('AddAdapter', 'ss', 'hci0', 'box');
      await new BluetoothPhone(bluez).connect();
      await isOpen(box);
      await bus.stop();
    }
    expect(box.alive).toBe(true);
  });

  test('without a password from the config, the box makes its own hotspot password once, prints it once, and keeps it', async () => {
    const bus = parts.use(await TestBus.open({ daemon: false }));
    const box = parts.use(
      await BoxProcess.start(
        { provisioning: { bluetooth: 'off', result_listen: 'off' } },
        {},
        { DBUS_SYSTEM_BUS_ADDRESS: bus.address },
      ),
    );
    expect(JSON.parse(await box.ask('setup', '--json', '--show-key')).hotspot_key).toBe(null);
    await bus.start();
    const manager = await bus.mock(ourTemplate('networkmanager_gatehouse'));
    await manager.control('AddWifi', 's', 'wlan0');
    await box.ask('reset', '--network');
    const [, printed] = await until('it is printed', () =>
      /^hotspot VENDOR_GATEHOUSE_000001 password: (\S{10})$/m.exec(box.stderr),
    );
    expect(JSON.parse(await box.ask('setup', '--json', '--show-key')).hotspot_key).toBe(printed);
    expect(((await manager.control('Activated')) as string[])[0]).toBe(`ap ${name} ${printed} 10.192.168.1`);
  });
});

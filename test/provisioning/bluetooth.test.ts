import { Variant } from 'dbus-next';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSsid } from '../../src/platform/ssid.ts';
import { simulatedWifi } from '../../src/provisioning/wifi/simulated.ts';
import { HandClock } from '../support/clock.ts';
import { suiteWithBus, TestBus } from '../support/dbus.ts';
import { aBluetooth, address, aSetUp, inRange, type SetUp } from '../support/site-devices.ts';
import { until } from '../support/until.ts';

const wifi = { target: 'FACE-T1_A0001', ssid: 'Plant', key: 'secret123' };

/** Lets time pass in steps until the run has ended. */
async function passing<T>({ clock, said }: SetUp, run: Promise<T>): Promise<T> {
  let over = false;
  run.then(
    () => {
      over = true;
    },
    () => {
      over = true;
    },
  );
  await until('the run has ended', async () => {
    // Where nothing but time is waited for, in large steps; else in small ones, since the bus has
    // its own time.
    await clock.advance(/^(silence|waiting)/.test(said.at(-1) ?? '') ? 5000 : 200);
    return over;
  });
  return run;
}

suiteWithBus('setting up devices over Bluetooth', () => {
  let bus: TestBus;
  const before = process.env.DBUS_SYSTEM_BUS_ADDRESS;
  beforeEach(async () => {
    bus = await TestBus.open();
    process.env.DBUS_SYSTEM_BUS_ADDRESS = bus.address;
  });
  afterEach(async () => {
    await bus[Symbol.asyncDispose]();
    if (before === undefined) delete process.env.DBUS_SYSTEM_BUS_ADDRESS;
    else process.env.DBUS_SYSTEM_BUS_ADDRESS = before;
  });
  const failure = (code: string, message: RegExp) =>
    expect.objectContaining({ code, message: expect.stringMatching(message) });

  test('a scan lists devices with the vendor prefix and those with a service that is known, the nearest first', async () => {
    const bluez = await aBluetooth(bus);
    await inRange(bluez);
    await inRange(bluez, { at: 'C8:00:00:00:00:02', name: 'kettle', profile: 'none' });
    await inRange(bluez, { at: 'C8:00:00:00:00:03', name: 'unnamed uart' });
    await using box = await aSetUp();
    const { devices } = await passing(box, box.devices.scan({ seconds: 2 }, box.onEvent));
    expect(devices).toEqual([
      { name: 'VENDOR_FACE-T1__A0001', address, quality: 78, via: 'bluetooth' },
      { name: 'unnamed uart', address: 'C8:00:00:00:00:03', quality: 78, via: 'bluetooth' },
    ]);
  });

  test.each(['uart', 'ffe0', 'fff0', 'fff0 swapped', 'own'])(
    'a device with the service %s says who it is',
    async profile => {
      await inRange(await aBluetooth(bus), { profile });
      await using box = await aSetUp();
      for (const target of [address, 'VENDOR_FACE-T1__A0001', 'face-t1_a0001'])
        expect(await box.devices.info({ target }, box.onEvent)).toEqual({
          device_id: 'FACE-T1_A0001',
          model: 'FT1',
          name: 'VENDOR_FACE-T1__A0001',
          address,
          via: 'bluetooth',
          version: null,
          product_known: true,
          networks: null,
        });
      expect(await box.store.read.devicePeer('FT1')).toMatchObject({ model: 'FT1', passwordForm: 'fold' });
    },
  );

  test('what is written is cut to what the link carries', async () => {
    const bluez = await aBluetooth(bus);
    await inRange(bluez, { piece: 3 });
    await inRange(bluez, { at: 'C8:00:00:00:00:02', name: 'wide', mtu: 185 });
    await using box = await aSetUp();
    const lengths = async (at: string) =>
      ((await bluez.control('WrittenTo', 'ss', 'hci0', at)) as Buffer[]).map(({ length }) => length);
    await box.devices.verify({ target: address }, box.onEvent);
    expect(await lengths(address)).toEqual([8, 20, 4]);
    await box.devices.verify({ target: 'wide' }, box.onEvent);
    expect(await lengths('C8:00:00:00:00:02')).toEqual([8, 24]);
  });

  test.each([
    [{}, { genuine: true, key: 'product key', form: 'hex' }, /signed with the product key/],
    [{ behaviour: 'decimal' }, { genuine: true, form: 'decimal' }, /written as decimal/],
    [{ behaviour: 'old' }, { genuine: true }, /product key/],
    [{ behaviour: 'signs in 0x01' }, { genuine: true }, /product key/],
    [{ key: 'stolen' }, { genuine: false, key: null }, /not known here: compare/],
    [{ key: 'other' }, { genuine: false }, /the key of product GATE-2/],
    [{ key: '' }, { genuine: false }, /an empty key/],
    [{ device_id: 'NEW-1_X' }, { genuine: false }, /its product is not known here/],
  ])('verification of a device with %j', async (options, expected, message) => {
    await inRange(await aBluetooth(bus), options as Record<string, string>);
    await using box = await aSetUp();
    const outcome = await box.devices.verify({ target: address }, box.onEvent);
    expect(outcome).toMatchObject(expected);
    expect(outcome.message).toMatch(message);
  });

  test('a device gets its network, reports that it has joined, and is seen online', async () => {
    await inRange(await aBluetooth(bus));
    await using box = await aSetUp();
    const run = box.devices.setWifi(wifi, box.onEvent);
    run.catch(() => {});
    await until('it says that it is connected', () =>
      box.said.some(line => line.startsWith('waiting: the device says')),
    );
    box.online.add('FACE-T1_A0001');
    expect(await passing(box, run)).toMatchObject({
      configured: true,
      online: true,
      status: 0,
      heard: 'bluetooth',
      try_form: null,
    });
    expect(await box.devices.results(5)).toMatchObject([
      { deviceId: 'FACE-T1_A0001', status: 0, via: 'bluetooth', address: '192.168.1.57' },
    ]);
    expect(box.said.join('\n')).not.toContain('secret123');
  });

  test('a device that is not seen online afterwards is reported, with the likely reason', async () => {
    await inRange(await aBluetooth(bus));
    await using box = await aSetUp();
    const outcome = await passing(box, box.devices.setWifi(wifi, box.onEvent));
    expect(outcome).toMatchObject({ configured: true, online: false, status: 0 });
    expect(outcome.message).toContain('see to which platform address it connects');
  });

  test('a wrong wifi password is reported by the device, and the other form is offered', async () => {
    await inRange(await aBluetooth(bus));
    await using box = await aSetUp();
    const outcome = await box.devices.setWifi({ ...wifi, key: 'wrong-key' }, box.onEvent);
    expect(outcome).toMatchObject({ configured: false, status: -2, error: -3, try_form: 'repeat' });
    expect(outcome.message).toContain('wrong wifi SSID or password');
    expect(await box.devices.results(5)).toMatchObject([{ status: -2, error: -3 }]);
  });

  test('a device that reads the other form ignores the message; after 10 s that is said, and with it it works and is remembered', async () => {
    await inRange(await aBluetooth(bus), { form: 'repeat' });
    await using box = await aSetUp();
    const silent = await passing(box, box.devices.setWifi(wifi, box.onEvent));
    expect(silent).toMatchObject({ configured: false, status: null, heard: null, form: 'fold', try_form: 'repeat' });
    expect(box.said.find(line => line.startsWith('silence'))).toContain('try again with --form repeat');
    box.onEvent({ step: 'note', message: 'now in the other form' });
    await passing(box, box.devices.setWifi({ ...wifi, form: 'repeat' }, box.onEvent));
    expect((await box.store.read.devicePeer('FT1'))?.passwordForm).toBe('repeat');
    const third = await passing(box, box.devices.setWifi(wifi, box.onEvent));
    expect(third).toMatchObject({ configured: true, form: 'repeat' });
  });

  test('a device that leaves Bluetooth to join is waited for where it comes online', async () => {
    await inRange(await aBluetooth(bus), { behaviour: 'drops' });
    await using box = await aSetUp();
    const run = box.devices.setWifi(wifi, box.onEvent);
    run.catch(() => {});
    await until('the connection has ended', () =>
      box.said.some(line => line.startsWith('note: the Bluetooth connection')),
    );
    box.online.add('FACE-T1_A0001');
    expect(await passing(box, run)).toMatchObject({ configured: true, online: true, status: null, heard: 'online' });
  });

  test('settings that no network takes are refused before anything is sent', async () => {
    const bluez = await aBluetooth(bus);
    await inRange(bluez);
    await using box = await aSetUp();
    await expect(box.devices.setWifi({ ...wifi, key: 'short' }, box.onEvent)).rejects.toEqual(
      failure('bad_request', /8 to 63/),
    );
    await expect(box.devices.setWifi({ ...wifi, ssid: 'x'.repeat(33) }, box.onEvent)).rejects.toEqual(
      failure('bad_request', /32 bytes/),
    );
    expect(await bluez.control('WrittenTo', 'ss', 'hci0', address)).toEqual([]);
  });

  test('a name that the box sees in bytes that are no UTF-8 is refused before anything is sent', async () => {
    const bluez = await aBluetooth(bus);
    await inRange(bluez);
    const heard = [
      { ...readSsid(Uint8Array.of(0xb3, 0xb5, 0xbc, 0xe4)), security: 'WPA2-PSK-AES', quality: 70 },
    ] as const;
    await using box = await aSetUp({
      wifi: { ...simulatedWifi([], new HandClock()), whyNot: async () => null, scan: async () => [...heard] },
    });
    await expect(box.devices.setWifi({ ...wifi, ssid: '车间' }, box.onEvent)).rejects.toEqual(
      failure('not_utf8', /"车间".*GBK.*UTF-8 only.*in the router/),
    );
    expect(await bluez.control('WrittenTo', 'ss', 'hci0', address)).toEqual([]);
  });

  test('a device that is not there, that is silent, garbled, refuses, or has nothing to write to is each said', async () => {
    const bluez = await aBluetooth(bus);
    await using box = await aSetUp();
    const info = (target = address) => passing(box, box.devices.info({ target }, box.onEvent));
    await expect(info('VENDOR_X')).rejects.toEqual(failure('not_found', /not heard within 30 s/));
    await inRange(bluez, { behaviour: 'silent' });
    const waiting = box.devices.info({ target: address }, box.onEvent);
    waiting.catch(() => {});
    await until(
      'it was asked',
      async () => ((await bluez.control('WrittenTo', 'ss', 'hci0', address)) as []).length > 0,
    );
    await expect(passing(box, waiting)).rejects.toEqual(failure('silent', /did not answer within 10 s/));
    const change = (options: Record<string, Variant>) =>
      bluez.control('ChangeSiteDevice', 'ssa{sv}', 'hci0', address, options);
    await change({ behaviour: new Variant('s', 'checksum') });
    const garbled = box.devices.info({ target: address }, box.onEvent);
    garbled.catch(() => {});
    await until(
      'it was asked again',
      async () => ((await bluez.control('WrittenTo', 'ss', 'hci0', address)) as []).length > 1,
    );
    await expect(passing(box, garbled)).rejects.toEqual(failure('garbled', /not as SPEC 4.4 says/));
    await change({ refuses: new Variant('s', 'le-connection-abort-by-local') });
    await expect(box.devices.info({ target: address }, box.onEvent)).rejects.toEqual(
      failure('refused', /cannot connect to C8:00:00:00:00:01: le-connection-abort-by-local: move closer/),
    );
    await inRange(bluez, { at: 'C8:00:00:00:00:09', name: 'VENDOR_ODD', profile: 'none' });
    await expect(box.devices.info({ target: 'VENDOR_ODD' }, box.onEvent)).rejects.toEqual(
      failure('no_profile', /nothing|no service/),
    );
  });

  test('of several devices of one name the one with the id is taken', async () => {
    const bluez = await aBluetooth(bus);
    await inRange(bluez, { device_id: 'FACE-T1_B-A0001' });
    await inRange(bluez, { at: 'C8:00:00:00:00:02' });
    await using box = await aSetUp();
    const info = await box.devices.info({ target: 'FACE-T1_A0001' }, box.onEvent);
    expect(info).toMatchObject({ device_id: 'FACE-T1_A0001', address: 'C8:00:00:00:00:02' });
  });

  test('without an adapter, with one that goes in the middle, without bluetoothd: each is said, and the next run is a new one', async () => {
    const bluez = await bus.mock('bluez5');
    await using box = await aSetUp();
    await expect(box.devices.scan({}, box.onEvent)).rejects.toEqual(failure('no_adapter', /no Bluetooth adapter/));
    await bluez[Symbol.asyncDispose]();
    await expect(box.devices.scan({}, box.onEvent)).rejects.toEqual(failure('no_bluetooth', /bluetoothd/));
    const again = await aBluetooth(bus);
    await inRange(again, { behaviour: 'silent' });
    const run = box.devices.info({ target: address }, box.onEvent);
    run.catch(() => {});
    await until(
      'it was asked',
      async () => ((await again.control('WrittenTo', 'ss', 'hci0', address)) as []).length > 0,
    );
    await again.control('RemoveAdapter', 's', 'hci0');
    await expect(run).rejects.toEqual(failure('adapter_gone', /adapter was removed/));
    await again.control('AddAdapter', 'ss', 'hci0', 'box');
    const scan = box.devices.scan({ seconds: 60 }, box.onEvent);
    scan.catch(() => {});
    await until('it looks around', async () =>
      (await again.calls('/org/bluez/hci0')).some(([, name]) => name === 'StartDiscovery'),
    );
    await again[Symbol.asyncDispose]();
    await expect(scan).rejects.toEqual(failure('no_bluetooth', /bluetoothd/));
  });

  test('a missing system bus is reported, and it works when the bus is there later', async () => {
    await bus.stop();
    await using box = await aSetUp();
    await expect(box.devices.scan({}, box.onEvent)).rejects.toEqual(failure('no_bus', /ENOENT.*start dbus/));
    await bus.start();
    await inRange(await aBluetooth(bus));
    expect(await box.devices.info({ target: address }, box.onEvent)).toMatchObject({ device_id: 'FACE-T1_A0001' });
    const scan = box.devices.scan({ seconds: 60 }, box.onEvent);
    scan.catch(() => {});
    await until('it looks around', () => box.said.filter(line => line.startsWith('looking')).length > 1);
    await bus.stop();
    await expect(passing(box, scan)).rejects.toMatchObject({ name: 'SiteDeviceFailure' });
  });

  test('one run at a time, and a run can be ended from outside', async () => {
    await inRange(await aBluetooth(bus), { behaviour: 'silent' });
    await using box = await aSetUp();
    const ending = new AbortController();
    const run = box.devices.info({ target: address }, box.onEvent, ending.signal);
    run.catch(() => {});
    await expect(box.devices.scan({}, box.onEvent)).rejects.toEqual(failure('busy', /another run is on \(info of C8/));
    ending.abort(new Error('enough'));
    await expect(run).rejects.toThrow('enough');
    await passing(box, box.devices.scan({ seconds: 1 }, box.onEvent));
  });
});

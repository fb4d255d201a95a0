import { afterEach, expect, test, vi } from 'vitest';
import { networkManagerWifi } from '../../../src/provisioning/wifi/networkmanager.ts';
import { WifiUnavailable } from '../../../src/provisioning/wifi/port.ts';
import { silentLog } from '../../../src/runtime/log.ts';
import { realClock } from '../../../src/runtime/real-world.ts';
import { type MockService, ourTemplate, suiteWithBus, TestBus } from '../../support/dbus.ts';

const never = new AbortController().signal;
const keep = { keep: true, signal: never } as const;
const psk = 0x100;
const ccmp = 0x8;
const privacy = 1;

const aWifi = (interfaceName: string | null = null) =>
  networkManagerWifi({ interfaceName, otherWay: async () => false, clock: realClock, log: silentLog });

/** NetworkManager with one wifi interface and the network Plant (WPA2, key `secret123`). */
async function aBus(): Promise<{ bus: TestBus; manager: MockService } & AsyncDisposable> {
  const bus = await TestBus.open();
  vi.stubEnv('DBUS_SYSTEM_BUS_ADDRESS', bus.address);
  const manager = await bus.mock(ourTemplate('networkmanager_gatehouse'));
  await manager.control('AddWifi', 's', 'wlan1');
  await add(manager, 'Plant', 'secret123');
  return { bus, manager, [Symbol.asyncDispose]: () => bus[Symbol.asyncDispose]() };
}

const add = (manager: MockService, ssid: string, key: string, behaviour = 'ok', rsn = psk | ccmp, strength = 70) =>
  manager.control('AddNetwork', 'ssusuuu', ssid, key, strength, behaviour, key === '' ? 0 : privacy, 0, rsn);

afterEach(() => {
  vi.unstubAllEnvs();
});

suiteWithBus('wifi through NetworkManager', () => {
  test('a scan names each network once, the strongest first, in the words of SPEC 4.3', async () => {
    await using here = await aBus();
    await add(here.manager, 'Guests', '', 'ok', 0, 90);
    await using wifi = aWifi();
    expect(await wifi.scan(never)).toEqual([
      { ssid: 'Guests', security: 'none', quality: 90 },
      { ssid: 'Plant', security: 'WPA2-PSK-AES', quality: 70 },
    ]);
  });

  test('a network is joined with the right key, reported with address, mask, gateway and MAC, and kept for the next start', async () => {
    await using here = await aBus();
    await using wifi = aWifi();
    expect(await wifi.join({ ssid: 'Plant', key: 'secret123' }, keep)).toEqual({
      ok: true,
      place: {
        mac: '11:22:33:44:55:66',
        address: '192.168.50.17',
        mask: '255.255.255.0',
        gateway: '192.168.50.1',
      },
    });
    expect(await wifi.hasNetwork()).toBe(true);
    expect(await here.manager.control('Saved')).toEqual(['gatehouse-wifi']);
    await wifi.forget('kept');
    expect(await here.manager.control('Profiles')).toEqual([]);
    expect(await wifi.hasNetwork()).toBe(false);
  });

  test('a network whose router sends its name in GBK is listed by that name, and joined by its bytes', async () => {
    await using here = await aBus();
    await add(here.manager, 'Workshop', 'secret123', 'ok', psk | ccmp, 90);
    const bytes = Buffer.from('b3b5bce4', 'hex');
    await here.manager.control('SendNameAs', 'say', 'Workshop', bytes);
    await using wifi = aWifi();
    const [strongest] = await wifi.scan(never);
    expect(strongest).toEqual({ ssid: '车间', bytes: Uint8Array.from(bytes), security: 'WPA2-PSK-AES', quality: 90 });
    expect(await wifi.join({ ...strongest!, key: 'secret123' }, keep)).toMatchObject({ ok: true });
  });

  test('a network whose address appears only after it counts as joined is reported with that address', async () => {
    await using here = await aBus();
    await add(here.manager, 'Slow', 'secret123', 'late-address');
    await using wifi = aWifi();
    const joined = await wifi.join({ ssid: 'Slow', key: 'secret123' }, keep);
    expect(joined).toMatchObject({ ok: true, place: { address: '192.168.50.17', gateway: '192.168.50.1' } });
  });

  test.each([
    ['a wrong key', 'Plant', 'wrong-key'],
    ['an unknown name', 'Nowhere', 'secret123'],
    ['a name that says 5G, for a card that hears it', 'Nowhere-5G', 'secret123'],
  ])('%s is error -3, and leaves no profile behind', async (_what, ssid, key) => {
    await using here = await aBus();
    await using wifi = aWifi();
    const joined = await wifi.join({ ssid, key }, keep);
    expect(joined).toMatchObject({ ok: false, error: -3 });
    expect(await here.manager.control('Profiles')).toEqual([]);
  });

  test('a router that gives no address is error -2', async () => {
    await using here = await aBus();
    await add(here.manager, 'Dry', 'secret123', 'no-dhcp');
    await using wifi = aWifi();
    expect(await wifi.join({ ssid: 'Dry', key: 'secret123' }, keep)).toMatchObject({ ok: false, error: -2 });
  });

  test('a network that never answers is error -6 when the time is over', async () => {
    await using here = await aBus();
    await add(here.manager, 'Silent', 'secret123', 'silent');
    await using wifi = aWifi();
    const signal = AbortSignal.timeout(500);
    expect(await wifi.join({ ssid: 'Silent', key: 'secret123' }, { keep: true, signal })).toMatchObject({
      ok: false,
      error: -6,
    });
    expect(await here.manager.control('Profiles')).toEqual([]);
  });

  test('a hidden network is asked for by its name', async () => {
    await using here = await aBus();
    await add(here.manager, 'Hidden', 'secret123', 'hidden');
    await using wifi = aWifi();
    expect(await wifi.join({ ssid: 'Hidden', key: 'secret123' }, keep)).toMatchObject({ ok: false, error: -3 });
    expect(await wifi.join({ ssid: 'Hidden', key: 'secret123', hidden: true }, keep)).toMatchObject({ ok: true });
  });

  test('an open network and one with WEP are joined as what they are', async () => {
    await using here = await aBus();
    await add(here.manager, 'Open', '', 'ok', 0);
    await add(here.manager, 'Old', 'abcde', 'ok', 0);
    await using wifi = aWifi();
    expect(await wifi.join({ ssid: 'Open', key: '', security: 'none' }, keep)).toMatchObject({ ok: true });
    expect(await wifi.join({ ssid: 'Old', key: 'abcde', security: 'WEP64' }, keep)).toMatchObject({ ok: true });
    expect(await here.manager.control('Activated')).toEqual(['infrastructure Open ', 'infrastructure Old abcde']);
  });

  test('the hotspot opens with its name, password and address, is no network, and leaves nothing behind', async () => {
    await using here = await aBus();
    await using wifi = aWifi('wlan1');
    const hotspot = { name: 'VENDOR_GATEHOUSE_000001', key: 'setup-pass-1', address: '10.192.168.1/24' };
    await wifi.openHotspot(hotspot, never);
    expect(await here.manager.control('Activated')).toEqual(['ap VENDOR_GATEHOUSE_000001 setup-pass-1 10.192.168.1']);
    expect(await wifi.hasNetwork()).toBe(false);
    await wifi.closeHotspot();
    expect(await here.manager.control('Profiles')).toEqual([]);
    expect(await here.manager.control('Saved')).toEqual([]);
  });

  test('a hotspot that does not open says why', async () => {
    await using here = await aBus();
    await here.manager.control('FailHotspots', 'i', 9);
    await using wifi = aWifi();
    const opened = wifi.openHotspot({ name: 'X', key: null, address: '10.192.168.1/24' }, never);
    await expect(opened).rejects.toThrow(
      'the hotspot could not be opened: the wifi card does not support what the network asks for',
    );
  });

  test('what NetworkManager refuses is reported with its own message', async () => {
    await using here = await aBus();
    const code = 'org.freedesktop.NetworkManager.PermissionDenied';
    await here.manager.control('RefuseNextActivation', 'ss', code, 'Not authorized to control networking.');
    await using wifi = aWifi();
    await expect(wifi.join({ ssid: 'Plant', key: 'secret123' }, keep)).rejects.toThrow(
      `NetworkManager refused with ${code}: Not authorized to control networking.`,
    );
  });

  test('an interface that is not there is named, with those that are', async () => {
    await using _ = await aBus();
    await using wifi = aWifi('wlan9');
    expect((await wifi.whyNot())?.reason).toBe('there is no wifi interface wlan9: there is wlan1');
  });

  test('without an interface, without NetworkManager, without D-Bus: each is said, and the next try finds what has come back', async () => {
    await using bus = await TestBus.open({ daemon: false });
    vi.stubEnv('DBUS_SYSTEM_BUS_ADDRESS', bus.address);
    await using wifi = aWifi();
    expect((await wifi.whyNot())?.reason).toMatch(/^the system's D-Bus cannot be reached: /);
    await expect(wifi.scan(never)).rejects.toThrow(WifiUnavailable);
    await bus.start();
    expect((await wifi.whyNot())?.reason).toBe('org.freedesktop.NetworkManager does not run');
    const manager = await bus.mock(ourTemplate('networkmanager_gatehouse'));
    expect((await wifi.whyNot())?.reason).toBe(
      'there is no wifi interface: plug one in, or set provisioning.wifi to off',
    );
    await manager.control('AddWifi', 's', 'wlan0');
    expect(await wifi.whyNot()).toBe(null);
    await bus.stop();
    expect(await wifi.whyNot()).not.toBe(null);
  });
});

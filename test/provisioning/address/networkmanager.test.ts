import { afterEach, expect, test, vi } from 'vitest';
import { NetworkManagerAddress } from '../../../src/provisioning/address/networkmanager.ts';
import type { AddressSettings } from '../../../src/provisioning/address/port.ts';
import { realClock } from '../../../src/runtime/real-world.ts';
import { RealNetworkManager, suiteWithNetworkManager } from '../../support/network-manager.ts';
import { until } from '../../support/until.ts';

const wanted: AddressSettings = {
  isAutomatic: false,
  address: '192.0.2.7/25',
  router: '192.0.2.1',
  nameServers: ['192.0.2.53', '192.0.2.54'],
};

async function here() {
  const manager = await RealNetworkManager.start();
  vi.stubEnv('DBUS_SYSTEM_BUS_ADDRESS', manager.bus);
  const port = new NetworkManagerAddress(realClock);
  return {
    ...{ manager, port },
    async [Symbol.asyncDispose]() {
      await port[Symbol.asyncDispose]();
      await manager[Symbol.asyncDispose]();
    },
  };
}

afterEach(() => {
  vi.unstubAllEnvs();
});

suiteWithNetworkManager('the address of the box through NetworkManager', () => {
  test('is read as it is set', async () => {
    await using with_ = await here();
    expect(await with_.port.read()).toEqual({
      ...{ name: 'eth9', isAutomatic: false, address: '192.0.2.5/24', router: '192.0.2.1', nameServers: [] },
    });
  });

  test('is changed without what else the profile says, and is kept where it is said so', async () => {
    await using with_ = await here();
    const tried = await with_.port.try(wanted, 600);
    await until('the new address', async () => (await tried.addresses()).includes('192.0.2.7'));
    expect(await with_.port.read()).toEqual({ name: 'eth9', ...wanted });
    await tried.keep();
    expect(await with_.manager.addresses()).toEqual(['192.0.2.7']);
    const profile = await with_.manager.profile();
    for (const line of ['mtu=1400', 'method=manual', 'dns=192.0.2.53;192.0.2.54;']) expect(profile).toContain(line);
    expect(profile).toMatch(/^address1=192\.0\.2\.7\/25/m);
    expect(profile).toMatch(/^route1=198\.51\.100\.0\/24,192\.0\.2\.9/m);
    await expect(tried.keep()).rejects.toThrow('NetworkManager refused');
  });

  test('is not changed while a change of it is on trial, by whomever', async () => {
    await using with_ = await here();
    await with_.port.try(wanted, 600);
    await using other = new NetworkManagerAddress(realClock);
    await expect(other.try({ ...wanted, address: '192.0.2.8/25' }, 600)).rejects.toThrow('NetworkManager refused');
    expect(await with_.port.read()).toMatchObject({ address: '192.0.2.7/25' });
  });

  test('comes back by itself, also where the box has ended meanwhile', async () => {
    await using with_ = await here();
    await with_.port.try({ ...wanted, isAutomatic: true, address: '', router: '' }, 3);
    expect(await with_.port.read()).toMatchObject({ isAutomatic: true });
    await with_.port[Symbol.asyncDispose]();
    await until('the former address', async () => (await with_.manager.addresses()).includes('192.0.2.5'));
    expect(await with_.manager.profile()).toMatch(/^address1=192\.0\.2\.5\/24/m);
  });
});

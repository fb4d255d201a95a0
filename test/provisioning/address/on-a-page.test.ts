import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RealNetworkManager, suiteWithNetworkManager } from '../../support/network-manager.ts';
import { BoxProcess } from '../../support/program.ts';
import { aSite } from '../../support/site.ts';
import { until } from '../../support/until.ts';

/** A box in the network of a NetworkManager, whose admin API is asked from there. */
async function aBoxThere() {
  const manager = await RealNetworkManager.start();
  const env = { DBUS_SYSTEM_BUS_ADDRESS: manager.bus, RUNTIME_DIRECTORY: manager.folder };
  const box = await BoxProcess.make({ listen: { https: '0.0.0.0:18443' } }, aSite(), env);
  box.program = await manager.programIn(box.program);
  await box.start();
  const token = (await box.ask('token', 'create', '--role', 'admin')).trim();
  const ask = async (host: string, ...words: string[]) => {
    const url = `https://${host}:18443/admin/v1`;
    const header = ['-sk', '-H', `Authorization: Bearer ${token}`, '-H', 'Content-Type: application/json'];
    const text = await manager.run('curl', ...header, ...words.map(word => word.replace(/^\//, `${url}/`)));
    return text;
  };
  const network = async (host: string) => JSON.parse(await ask(host, '/network'));
  return {
    ...{ manager, box, network },
    put: async (path: string, body: object) =>
      JSON.parse(await ask('127.0.0.1', '-X', 'PUT', '-d', JSON.stringify(body), path)),
    /** Two calls over one connection. */
    twice: (host: string) => ask(host, '/network', '/network'),
    async [Symbol.asyncDispose]() {
      await box[Symbol.asyncDispose]();
      await manager[Symbol.asyncDispose]();
    },
  };
}

const fixed = { automatic: false, address: '192.0.2.7/24', router: '192.0.2.1', name_servers: ['192.0.2.53'] };

suiteWithNetworkManager('the network of the gateway', () => {
  test('an address is on trial until an admin has used it, and nothing else decides that', async () => {
    await using there = await aBoxThere();
    expect(await there.network('127.0.0.1')).toMatchObject({
      settings: { name: 'eth9', automatic: false, address: '192.0.2.5/24', router: '192.0.2.1', name_servers: [] },
      ...{ settings_why: null, trial: null },
    });

    expect(await there.put('/network/address', { ...fixed, router: '198.51.100.1' })).toMatchObject({
      ...{ status: 422, title: 'router' },
    });
    expect(await there.put('/network/address', fixed)).toEqual({ seconds: 180 });
    expect(await there.put('/network/address', fixed)).toMatchObject({ status: 409, title: 'trying' });
    await until('the new address', async () => (await there.manager.addresses()).includes('192.0.2.7'));
    expect(await there.put('/network/address', fixed)).toMatchObject({ status: 409, title: 'trying' });
    await there.twice('127.0.0.1');
    expect(await there.network('127.0.0.1')).toMatchObject({ trial: { state: 'trying', address: '192.0.2.7' } });

    await until('it is kept', async () => {
      await there.twice('192.0.2.7');
      return (await there.network('127.0.0.1')).trial.state === 'kept';
    });
    expect(await there.manager.profile()).toMatch(/^address1=192\.0\.2\.7\/24/m);
    expect(there.box.stderr).toContain('an admin has used the new address 192.0.2.7: it is kept');
    expect(await there.box.ask('audit', 'export')).toContain('address: 192.0.2.5/24 → 192.0.2.7/24');
  });

  test('host name and time servers of a page reach the system at the next start, in place', async () => {
    await using there = await aBoxThere();
    const names = { host_name: 'hall-3', time_servers: 'ntp.example, 192.0.2.1' };
    expect(await there.put('/network/names', { ...names, host_name: 'hall 3' })).toMatchObject({
      ...{ status: 422, title: 'box.host_name' },
    });
    expect(await there.put('/network/names', names)).toEqual({ restarts: true });
    await until('the name', async () => (await there.manager.hostName()) === 'hall-3');
    const file = join(there.manager.folder, 'time-servers');
    await until('the servers', async () => (await readFile(file, 'utf8')) === 'ntp.example\n192.0.2.1\n');
    expect(await there.box.ask('check-config', '--effective')).toMatch(/box.host_name: "hall-3" +# page/);
  });
});

import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleAll } from '../../scripts/build.ts';
import { RegionMachines } from '../support/region-machines.ts';
import { aSite, deviceIds } from '../support/site.ts';
import { MqttTerminal } from '../support/terminal.ts';
import { hasTool, suiteWhere } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { packaging } from './deb.cases.ts';

/**
 * The steps of docs/region.md as they stand there, but for addresses, on three fresh systems under
 * systemd. The first run fetches their packages (a minute,
 * root, kept below `node_modules/.cache`); a run takes ten minutes.
 */

/** Environment production refuses keys that stand in examples. */
const productKey = 'of-three-machines-alone';
const site = { products: [{ ...aSite().products[0], product_key: productKey }] };

const page = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

/** Scripts of a page, with where they are run. */
const scriptsOf = (text: string): { where: string; script: string }[] =>
  [...text.matchAll(/^( *)```sh\n([\s\S]*?)^ *```/gm)].map(([, indent, lines]) => {
    const script = lines!.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    return { where: /^# (.+)$/m.exec(script)?.[1] ?? '', script };
  });

const tools = ['systemd-nspawn', 'mmdebstrap', 'dpkg-deb', 'nsenter', 'ip'];
const missing = tools.filter(tool => !hasTool(tool));
const possible = missing.length === 0 && process.arch === 'x64' && process.getuid?.() === 0;
const why =
  missing.length > 0
    ? `needs ${missing.join()}: apt-get install systemd-container mmdebstrap`
    : 'needs root rights, on x86_64';

suiteWhere(possible, why, 'a region set up by its document', () => {
  const scripts = scriptsOf(page('region.md'));
  const [deviceId] = deviceIds(1) as [string];
  const terminals: MqttTerminal[] = [];
  let packages: Awaited<ReturnType<typeof packaging>>;
  let machines: RegionMachines;

  const onMachines = (text: string) => text.replaceAll('10.0.0.2', '10.77.0.');
  const anyOf = (name: string) => ['one', 'two', 'three'].find(one => one !== name)!;
  const doctor = (name: string) => machines.run(name, 'gatehouse doctor --region');
  const isWhole = (name: string) =>
    until('doctor finds nothing wrong', async () => {
      const { status, output } = await doctor(name);
      if (status !== 0) throw new Error(output);
      return output;
    });
  const primary = async (from: string): Promise<string> => {
    const said = JSON.parse((await machines.run(from, 'gatehouse doctor --region --json 2>&1')).output);
    return said.checks.find(({ code }: { code: string }) => code === 'primary').params.machines;
  };
  /** A new connection of the one device, by way of this machine. */
  const connected = async (machine: string) => {
    const ca = await readFile(join(machines.folder, 'region/ca.pem'));
    const url = `mqtts://${machines.addressOf(machine)}:8883`;
    const terminal = new MqttTerminal({ deviceId, key: productKey }, url, { ca });
    const before = terminals.at(-1);
    if (before) terminal.goOnAfter(before);
    terminals.push(terminal);
    return terminal;
  };
  const punches = () => terminals.flatMap(({ acknowledged }) => acknowledged).map(({ mid }) => mid);
  const stored = async (machine: string): Promise<string[]> =>
    (await machines.done(machine, 'gatehouse export --what checkins --format ndjson'))
      .split('\n')
      .filter(line => line.startsWith('{'))
      .map(line => JSON.parse(line).ext_id);
  const people = (count: number) => Array.from({ length: count }, (_, index) => `p${index + 1}`);

  beforeAll(async () => {
    packages = await packaging(null);
    const dist = join(packages.folder, 'dist');
    await mkdir(dist);
    await bundleAll(dist, false);
    const wanted = /apt-get install (.*) \.\/gatehouse\.deb/.exec(scripts[0]!.script)![1]!.split(' ');
    machines = await RegionMachines.start(wanted, await packages.build('amd64'), dist);
  });
  afterAll(async () => {
    for (const terminal of terminals) await terminal.end();
    await machines?.[Symbol.asyncDispose]();
    await packages?.[Symbol.asyncDispose]();
  });

  test('ends as a region that its doctor finds nothing wrong with', async () => {
    for (const { where, script } of scripts) {
      const text = onMachines(script);
      if (where === 'on each machine') await machines.onEach(text);
      else if (where === 'on the computer') await machines.here(text);
      else if (where === 'on a machine') await isWhole('one');
      else throw new Error(`where is this to be run? ${script}`);
    }
    expect(await isWhole('three')).toContain('nothing is wrong');
  });

  test('install.sh refuses a machine with another etcd, changes nothing there, and nothing when it is run again', async () => {
    await machines.here('cp -rp region/two two/root/region');
    const before = await machines.done('two', 'systemctl show -p MainPID etcd patroni gatehouse haproxy');
    await machines.done('two', 'sh region/install.sh');
    expect(await machines.done('two', 'systemctl show -p MainPID etcd patroni gatehouse haproxy')).toBe(before);
    // A folder of another region.
    await machines.here(
      onMachines(
        'gatehouse region init other --machines 10.0.0.22,10.0.0.21,10.0.0.24 && cp -rp other/one two/root/other',
      ),
    );
    const { status, output } = await machines.run('two', 'sh other/install.sh');
    expect({ status, output }).toEqual({
      status: 1,
      output: expect.stringMatching(/etcd on this machine has other members|is the key of another region/),
    });
    await machines.done('two', 'rm -r region other');
    await isWhole('two');
  });

  test('a stranger reaches the doors alone, and who has no certificate or password is refused on a machine too', async () => {
    const [address] = machines.addresses;
    const isOpen = (port: number) =>
      new Promise<boolean>(resolve => {
        const socket = connect({ host: address, port, timeout: 2000 });
        const done = (open: boolean) => {
          socket.destroy();
          resolve(open);
        };
        socket
          .on('connect', () => done(true))
          .on('error', () => done(false))
          .on('timeout', () => done(false));
      });
    const ports = [22, 443, 2379, 2380, 5000, 5432, 8008, 8080, 8404, 8443, 8883, 9443, 9464, 9883];
    const open = await Promise.all(ports.map(isOpen));
    expect(ports.filter((_, index) => open[index])).toEqual([443, 8443, 8883]);

    // From a machine of the region, which the firewall lets through.
    const refused = [
      `etcdctl --endpoints https://${address}:2379 --insecure-skip-tls-verify --insecure-transport=false --command-timeout 3s member list`,
      `etcdctl --endpoints http://${address}:2379 --command-timeout 3s put a b`,
      `/opt/node -e "process.env.NODE_TLS_REJECT_UNAUTHORIZED = 0; fetch('https://${address}:8008/config', { method: 'PATCH', body: '{}' }).then(() => process.exit(0), () => process.exit(1))"`,
      `/opt/node -e "fetch('http://${address}:8008/config').then(() => process.exit(0), () => process.exit(1))"`,
      ...['postgres', 'gatehouse', 'gatehouse_owner', 'replicator', 'rewinder'].flatMap(user =>
        ['disable', 'require'].map(
          mode => `psql -w 'host=${address} user=${user} dbname=gatehouse sslmode=${mode}' -c 'SELECT 1'`,
        ),
      ),
      `psql -w 'host=localhost port=5000 user=postgres dbname=postgres sslmode=require' -c 'SELECT 1'`,
      'runuser -u gatehouse -- psql -w -h /var/run/postgresql -U postgres -d postgres -c "SELECT 1"',
      "runuser -u gatehouse -- /opt/node -e \"require('net').connect('/run/haproxy/region.sock').on('connect', () => process.exit(0)).on('error', () => process.exit(1))\"",
    ];
    for (const line of refused) {
      const { status, output } = await machines.run('two', line);
      expect({ line, let: status === 0 ? output : 'not in' }).toEqual({ line, let: 'not in' });
    }
  });

  test('takes a punch, loses its primary, and takes a punch again', async () => {
    await writeFile(join(machines.rootOf('one'), 'root/site.json'), JSON.stringify(site));
    await machines.done('one', 'gatehouse apply site.json');
    const lost = await primary('one');
    const other = anyOf(lost);
    await (await connected(other)).say('device');
    expect(await stored(lost)).toEqual(people(1));
    machines.kill(lost);
    await terminals.at(-1)!.say('device');
    expect(punches()).toHaveLength(2);
    expect(await until('a process answers', () => stored(other))).toEqual(people(2));
    await machines.boot(lost);
    await isWhole(other);
    await isWhole(lost);
  });

  test('a machine that has lost its disk takes its old place', async () => {
    const lost = anyOf(await primary('one'));
    await machines.here(`cp -rp region/${lost} ${lost}/root/region`);
    await machines.done(
      lost,
      'systemctl stop gatehouse patroni etcd; rm -r /var/lib/etcd/gatehouse /var/lib/postgresql/15/gatehouse; sh region/install.sh',
    );
    expect(await isWhole(lost)).toContain('3 members, one leader');
  });
});

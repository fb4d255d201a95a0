import { readFileSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleAll } from '../../scripts/build.ts';
import { makeNewer } from '../support/other-version.ts';
import { RegionMachines } from '../support/region-machines.ts';
import { aSite, deviceIds } from '../support/site.ts';
import { HttpTerminal, MqttTerminal } from '../support/terminal.ts';
import { hasTool, suiteWhere } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { otherVersionOf, packaging } from './deb.cases.ts';

/**
 * The steps of docs/region.md, docs/region-update.md and docs/region-backups.md as they stand there,
 * but for addresses and the moment, on three fresh systems under systemd. The first run fetches
 * their packages (a minute, root, kept below `node_modules/.cache`); a run takes ten minutes.
 */

/** Environment production refuses keys that stand in examples. */
const productKey = 'of-three-machines-alone';
const site = { products: [{ ...aSite().products[0], product_key: productKey }] };

const page = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

/** A timer goes off at once, by the unit as it is installed. */
const soon = (timer: string) => `folder=/run/systemd/system/${timer}.d
mkdir $folder
printf '[Timer]\\nOnActiveSec=0\\n' >$folder/soon.conf
systemctl daemon-reload
systemctl restart ${timer}
rm -r $folder
systemctl daemon-reload`;

interface Script {
  readonly where: string;
  readonly script: string;
}

/** Scripts of a page, with where they are run. */
const scriptsOf = (text: string): Script[] =>
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
  const names = ['one', 'two', 'three'];
  const anyOf = (name: string) => names.find(one => one !== name)!;
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
  /** By way of HAProxy of this machine. */
  const aTerminal = async (id: string, machine: string) => {
    const ca = await readFile(join(machines.folder, 'region/ca.pem'));
    const url = `mqtts://${machines.addressOf(machine)}:8883`;
    return new MqttTerminal({ deviceId: id, key: productKey }, url, { ca });
  };
  /** A new connection of the one device. */
  const connected = async (machine: string) => {
    const terminal = await aTerminal(deviceId, machine);
    const before = terminals.at(-1);
    if (before) terminal.goOnAfter(before);
    terminals.push(terminal);
    return terminal;
  };
  /** Of devices that HAProxy of this machine leads to each process in turn. */
  const loggedInOverHttp = async (machine: string): Promise<number[]> => {
    const ca = await readFile(join(machines.folder, 'region/ca.pem'), 'utf8');
    const base = `https://${machines.addressOf(machine)}:8443`;
    const devices = deviceIds(7)
      .slice(1)
      .map(id => new HttpTerminal({ deviceId: id, key: productKey }, base, ca));
    try {
      return await Promise.all(devices.map(async device => (await device.connect(10_000)).status));
    } finally {
      for (const device of devices) device.end();
    }
  };
  const punches = () => terminals.flatMap(({ acknowledged }) => acknowledged).map(({ mid }) => mid);
  /** Check-ins of a device, by the person of each. */
  const stored = async (machine: string, of = deviceId): Promise<string[]> =>
    (await machines.done(machine, 'gatehouse export --what checkins --format ndjson'))
      .split('\n')
      .filter(line => line.startsWith('{'))
      .map(line => JSON.parse(line))
      .filter(row => row.device_id === of)
      .map(row => row.ext_id);
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

  test('takes a punch, loses its primary within its first minute, and takes logins over HTTP and a punch again', async () => {
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
    await until('both processes that are left take logins over HTTP', async () =>
      (await loggedInOverHttp(other)).every(status => status === 200),
    );
    await machines.boot(lost);
    await isWhole(other);
    await isWhole(lost);
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

  test('a machine that has lost its disk takes its old place', async () => {
    const lost = anyOf(await primary('one'));
    await machines.here(`cp -rp region/${lost} ${lost}/root/region`);
    await machines.done(
      lost,
      'systemctl stop gatehouse patroni etcd; rm -r /var/lib/etcd/gatehouse /var/lib/postgresql/15/gatehouse; sh region/install.sh',
    );
    expect(await isWhole(lost)).toContain('3 members, one leader');
  });

  test('is updated machine by machine while devices work, and has each acknowledged check-in once and in order', async () => {
    const update = scriptsOf(page('region-update.md'))[0]!.script;
    const newer = join(packages.folder, 'newer');
    await cp(join(packages.folder, 'dist'), newer, { recursive: true });
    await makeNewer(newer, '1.1.0', ["ALTER TABLE `device` ADD `of_the_next` text DEFAULT '' NOT NULL;"]);
    const deb = join(packages.folder, 'gatehouse_1.1.0_amd64.deb');
    await otherVersionOf(await packages.build('amd64'), deb, { version: '1.1.0', dist: '/opt/newer' });
    for (const name of names) {
      await cp(newer, join(machines.rootOf(name), 'opt/newer'), { recursive: true });
      await cp(deb, join(machines.rootOf(name), 'root/gatehouse_1.1.0_amd64.deb'));
    }
    const working = await Promise.all(
      deviceIds(19)
        .slice(7)
        .map((id, index) => aTerminal(id, names[index % 3]!)),
    );
    let isOver = false;
    const work = Promise.all(
      working.map(async device => {
        while (!isOver) {
          await device.say('device');
          await new Promise(resolve => setTimeout(resolve, 50));
        }
      }),
    );
    const everybodyWorks = async () => {
      const counts = working.map(({ acknowledged }) => acknowledged.length);
      await until('every device has something acknowledged', () =>
        working.every(({ acknowledged }, index) => acknowledged.length > counts[index]! + 2),
      );
    };
    await everybodyWorks();
    for (const name of names) {
      await until(`${name} answers`, async () => (await machines.done(name, update)).includes('1.1.0'));
      await isWhole(name);
      await everybodyWorks();
    }
    isOver = true;
    await work;
    for (const device of working) {
      await device.end();
      expect(await stored('one', device.deviceId)).toEqual(people(device.said.length));
    }
    console.log(
      `an update: ${working.reduce((sum, { said }) => sum + said.length, 0)} check-ins of ${working.length} devices`,
    );
  });

  test('goes back to a moment', async () => {
    const leader = await primary('one');
    const others = names.filter(name => name !== leader);
    const sql = (text: string) => machines.done(leader, `cd /; runuser -u postgres -- psql -Atc "${text}" gatehouse`);
    const [first, ...back] = scriptsOf(page('region-backups.md')) as [Script, ...Script[]];
    await machines.onEach(first.script);
    await machines.onEach(soon('gatehouse-backup@incr.timer'));
    const backups = () => machines.done(leader, 'runuser -u postgres -- pgbackrest info');
    await until('the timer has made a backup', async () => (await backups()).includes('incr backup'));

    await terminals.at(-1)!.say('device');
    await sql('SELECT pg_sleep(1.5)');
    const moment = (await sql('SELECT clock_timestamp()')).trim();
    await sql('SELECT pg_sleep(1.5)');
    await terminals.at(-1)!.say('device');
    expect(await stored(leader)).toEqual(people(4));
    await sql('SELECT pg_switch_wal()');
    const asPostgres = (script: string) => `cd /tmp; runuser -u postgres -- sh -e <<'END'\n${script}END`;
    const answers = "printf 'gatehouse\\nYes I am aware\\n' >/tmp/answers; exec </tmp/answers\n";
    for (const { where, script } of back) {
      if (where === 'on each machine') await machines.onEach(script);
      else if (where === 'on each machine, the primary last')
        for (const name of [...others, leader]) await machines.done(name, script);
      else if (where === 'on the primary, as postgres')
        await machines.done(leader, asPostgres(script.replace('2026-11-25 21:00:00+00', moment)));
      else if (where === 'on the primary') await machines.done(leader, answers + script);
      else if (where === 'on the others') for (const name of others) await machines.done(name, script);
      else if (where === 'on each machine, one that ran before first')
        for (const name of [leader, ...others]) await machines.done(name, script);
      else if (where === 'on a machine') await isWhole(leader);
      else throw new Error(`where is this to be run? ${script}`);
    }
    expect(await stored(leader)).toEqual(people(3));
    const status = await machines.done(leader, 'gatehouse status');
    expect(status).toContain('it was restored');
    expect(status).not.toContain('Not backed up');
    await terminals.at(-1)!.say('device');
    expect(await stored(leader)).toEqual([...people(3), 'p5']);
  });
});

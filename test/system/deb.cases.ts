import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleAll } from '../../scripts/build.ts';
import { type Architecture, architectures, buildDeb } from '../../scripts/build-deb.ts';
import { DebianRoot } from '../support/debian-root.ts';
import { hasTool, suiteWhere } from '../support/tools.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** In the place of the program: it starts the bundle /opt/dist with a Node beside it. */
export const standIn = '#!/bin/sh\nexec /opt/node --disable-warning=ExperimentalWarning /opt/dist/gatehouse.js "$@"\n';

/**
 * Makes of a package with the stand-in one of another version, whose program starts the bundle in
 * `dist` of the machine.
 */
export async function otherVersionOf(deb: string, to: string, { version, dist }: { version: string; dist: string }) {
  const stage = await mkdtemp(join(tmpdir(), 'gatehouse-deb-'));
  try {
    execFileSync('dpkg-deb', ['-R', deb, stage]);
    const control = join(stage, 'DEBIAN/control');
    await writeFile(control, (await readFile(control, 'utf8')).replace(/^Version: .*$/m, `Version: ${version}`));
    await writeFile(join(stage, 'usr/lib/gatehouse/gatehouse'), standIn.replace('/opt/dist', dist));
    execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Znone', stage, to]);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** A folder in which packages are made. */
export interface Packaging extends AsyncDisposable {
  readonly folder: string;
  /** A script that starts /opt/dist with /opt/node is in the place of the program. */
  readonly hasStandIn: boolean;
  /** Returns the path of the package. `into` tells two builds apart; each is made once. */
  build(architecture: Architecture, into?: string): Promise<string>;
}

/**
 * Makes packages with `program`. Null: with a stand-in, which compresses in no time and starts a
 * bundle of the sources with a Node beside it.
 */
export async function packaging(program: string | null): Promise<Packaging> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-deb-'));
  const binaries = join(folder, 'binary');
  await mkdir(binaries);
  for (const name of Object.values(architectures)) {
    const to = join(binaries, `gatehouse-linux-${name}`);
    if (program !== null && name === process.arch) await copyFile(program, to);
    else await writeFile(to, standIn);
  }
  const made = new Map<string, Promise<string>>();
  return {
    folder,
    hasStandIn: program === null,
    build(architecture, into = 'packages') {
      const key = `${into}/${architecture}`;
      const building = made.get(key) ?? buildDeb({ architecture, binaries, into: join(folder, into) });
      made.set(key, building);
      return building;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

const missing = ['mmdebstrap', 'unshare', 'dpkg-deb'].filter(tool => !hasTool(tool));
const possible = missing.length === 0 && process.getuid?.() === 0 && process.arch === 'x64';
const why =
  missing.length > 0
    ? `needs ${missing.join()}: apt-get install mmdebstrap util-linux dpkg`
    : 'needs root rights, on x86_64';

/** The life of a package in a fresh Debian, from its installation to its purge. */
export function freshDebianCases(packages: () => Packaging): void {
  suiteWhere(possible, why, 'in a fresh Debian', () => {
    describe('the package', () => {
      let debian: DebianRoot;
      let before: string[];
      beforeAll(async () => {
        debian = await DebianRoot.open();
        await copyFile(await packages().build('amd64'), join(debian.folder, 'tmp/gatehouse.deb'));
        if (packages().hasStandIn) {
          await copyFile(process.execPath, join(debian.folder, 'opt/node'));
          await chmod(join(debian.folder, 'opt/node'), 0o755);
          await mkdir(join(debian.folder, 'opt/dist'));
          await bundleAll(join(debian.folder, 'opt/dist'), false);
        }
        before = debian.files();
      });
      afterAll(() => debian?.[Symbol.asyncDispose]());

      test('is installed, with a user of its own', () => {
        const { status, stdout, stderr } = debian.run(['dpkg', '-i', '/tmp/gatehouse.deb']);
        expect({ status, stderr }, stdout).toMatchObject({ status: 0 });
        expect(debian.run(['id', 'gatehouse']).stdout).toMatch(/^uid=\d+\(gatehouse\) gid=\d+\(gatehouse\)/);
        const stat = debian.run([
          'stat',
          '-c',
          '%n %U:%G %a',
          '/etc/gatehouse',
          '/var/lib/gatehouse',
          '/var/lib/gatehouse-program',
        ]);
        expect(stat.stdout).toBe(
          '/etc/gatehouse root:gatehouse 750\n/var/lib/gatehouse gatehouse:gatehouse 700\n/var/lib/gatehouse-program root:root 755\n',
        );
        expect(debian.run(['dpkg', '--verify', 'gatehouse']).stdout).toBe('');
      });

      test('has enabled its units, and systemd finds nothing wrong with them there', () => {
        const wants = '/etc/systemd/system/multi-user.target.wants';
        expect(debian.run(['ls', wants]).stdout).toContain('gatehouse.service');
        const verified = debian.run(['systemd-analyze', 'verify', '--man=no', 'gatehouse.service']);
        expect({ status: verified.status, said: verified.stderr }).toEqual({ status: 0, said: '' });
      });

      test('its program runs: version, and check-config of the config that was shipped', () => {
        expect(debian.run(['gatehouse', 'version']).stdout).toMatch(/^gatehouse \d+\.\d+\.\d+ \(node 26/);
        const checked = debian.run(['gatehouse', 'check-config', '/etc/gatehouse/gatehouse.yaml']);
        expect(checked).toMatchObject({ status: 0, stdout: '/etc/gatehouse/gatehouse.yaml: nothing wrong\n' });
      });

      test('it serves as its user, with the command of the service', async () => {
        const unit = await readFile(join(root, 'systemd/gatehouse.service'), 'utf8');
        const words = /^ExecStart=(.*)$/m.exec(unit)![1]!.split(' ');
        const free = '127.0.0.1:0';
        const [command, args] = debian.command(['runuser', '-u', 'gatehouse', '--', ...words]);
        const box = spawn(command, args, {
          stdio: ['ignore', 'ignore', 'pipe'],
          env: {
            PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
            ...{ GATEHOUSE_LISTEN__MQTTS: free, GATEHOUSE_LISTEN__HTTPS: free, GATEHOUSE_LISTEN__HTTP: free },
            ...{ GATEHOUSE_LISTEN__METRICS: free, GATEHOUSE_PROVISIONING__RESULT_LISTEN: 'off' },
          },
        });
        let said = '';
        const ready = new Promise<void>((resolve, reject) => {
          box.stderr.setEncoding('utf8').on('data', text => {
            said += text;
            if (/^ready \{/m.test(said)) resolve();
          });
          box.on('exit', () => reject(new Error(said)));
        });
        await ready;
        expect(said).toContain('setup code: ');
        const asked = debian.run([
          'runuser',
          '-u',
          'gatehouse',
          '--',
          'gatehouse',
          'status',
          '--data-dir',
          '/var/lib/gatehouse',
        ]);
        expect(asked.stdout).toContain('running, version');
        box.removeAllListeners('exit');
        const ended = once(box, 'exit');
        box.kill('SIGTERM');
        await ended;
      });

      test('removed, it leaves what the box holds; installed again, it has it still', () => {
        expect(debian.run(['dpkg', '-r', 'gatehouse']).status).toBe(0);
        const left = debian
          .files()
          .filter(line => !before.includes(line))
          .join('\n');
        expect(left).toContain('/var/lib/gatehouse/gatehouse.db ');
        expect(left).toContain('/etc/gatehouse/gatehouse.yaml ');
        expect(left).not.toContain('/usr/lib/gatehouse');
        expect(debian.run(['dpkg', '-i', '/tmp/gatehouse.deb']).status).toBe(0);
        expect(
          debian.run(['runuser', '-u', 'gatehouse', '--', 'gatehouse', 'status', '--data-dir', '/var/lib/gatehouse'])
            .stdout,
        ).toContain('this is what its store tells');
      });

      test('purged, it leaves nothing', () => {
        expect(debian.run(['dpkg', '-P', 'gatehouse']).status).toBe(0);
        // The user stays, and with it the files of users as they were before it came.
        const byTheWay = /^\/var\/log\/|^\/etc\/(passwd|shadow|group|gshadow)- /;
        const after = debian.files().filter(line => !byTheWay.test(line));
        expect(after.filter(line => !before.includes(line))).toEqual([]);
        expect(before.filter(line => !byTheWay.test(line) && !after.includes(line))).toEqual([]);
      });
    });
  });
}

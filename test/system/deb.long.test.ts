import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildDeb } from '../../scripts/build-deb.ts';
import { DebianRoot } from '../support/debian-root.ts';
import { hasTool, suiteNeeding, suiteWhere } from '../support/tools.ts';

/**
 * The package. With GATEHOUSE_BINARY it holds that program; else, to be quick, a stand-in that
 * starts the bundle of the checkout with a Node beside it.
 */

// A real binary takes a minute to compress.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const root = fileURLToPath(new URL('../..', import.meta.url));
const binary = process.env.GATEHOUSE_BINARY;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-deb-'));
  await mkdir(join(folder, 'binary'));
  for (const name of ['x64', 'arm64']) {
    const to = join(folder, `binary/gatehouse-linux-${name}`);
    if (binary && name === process.arch) await copyFile(binary, to);
    else
      await writeFile(
        to,
        '#!/bin/sh\nexec /opt/node --disable-warning=ExperimentalWarning /opt/dist/gatehouse.js "$@"\n',
      );
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));
const build = (architecture: 'amd64' | 'arm64', into: string) =>
  buildDeb({ architecture, binaries: join(folder, 'binary'), into: join(folder, into) });

suiteNeeding('dpkg-deb', 'dpkg', 'the package', () => {
  test('two builds of one commit are identical', async () => {
    const sums = [];
    for (const into of ['first', 'second'])
      sums.push(
        createHash('sha256')
          .update(await readFile(await build('arm64', into)))
          .digest('hex'),
      );
    expect(sums[0]).toBe(sums[1]);
  });

  test('without the binary it is not built, and it is said how that is made', async () => {
    await expect(buildDeb({ architecture: 'arm64', binaries: folder, into: folder })).rejects.toThrow(
      'gatehouse-linux-arm64: npm run build:binary -- --arch arm64',
    );
  });

  test('names its architecture, what it needs and its conffiles', async () => {
    const deb = await build('arm64', 'named');
    expect(deb).toMatch(/\/gatehouse_\d+\.\d+\.\d+_arm64\.deb$/);
    const field = (name: string) => spawnSync('dpkg-deb', ['-f', deb, name], { encoding: 'utf8' }).stdout.trim();
    expect(field('Architecture')).toBe('arm64');
    for (const needed of ['libc6', 'libstdc++6', 'libatomic1', 'systemd']) expect(field('Depends')).toContain(needed);
    const owners = spawnSync('dpkg-deb', ['-c', deb], { encoding: 'utf8' }).stdout.trim().split('\n');
    expect(owners.filter(line => !/^\S+ root\/root /.test(line))).toEqual([]);
  });
});

suiteNeeding('lintian', 'lintian', 'the package, read by lintian', () => {
  test('has no errors', async () => {
    const deb = await build('amd64', 'lintian');
    const { stdout } = spawnSync('lintian', ['--allow-root', '--fail-on=none', deb], { encoding: 'utf8' });
    expect(stdout.split('\n').filter(line => /^E:/.test(line))).toEqual([]);
  });
});

const missing = ['mmdebstrap', 'unshare', 'dpkg-deb'].filter(tool => !hasTool(tool));
const possible = missing.length === 0 && process.getuid?.() === 0 && process.arch === 'x64';
const why =
  missing.length > 0
    ? `needs ${missing.join()}: apt-get install mmdebstrap util-linux dpkg`
    : 'needs root rights, on x86_64';

suiteWhere(possible, why, 'in a fresh Debian', () => {
  describe('the package', () => {
    let debian: DebianRoot;
    let before: string[];
    beforeAll(async () => {
      debian = await DebianRoot.open();
      await copyFile(await build('amd64', 'debian'), join(debian.folder, 'tmp/gatehouse.deb'));
      await mkdir(join(debian.folder, 'opt/dist'));
      await copyFile(process.execPath, join(debian.folder, 'opt/node'));
      await chmod(join(debian.folder, 'opt/node'), 0o755);
      await cp(join(root, 'dist'), join(debian.folder, 'opt/dist'), {
        recursive: true,
        filter: path => !/\/dist\/(binary|deb|images?)\b|\.map$/.test(path),
      });
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

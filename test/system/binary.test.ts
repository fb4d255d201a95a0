import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { binaryName } from '../../scripts/build-binary.ts';
import { nodeFlags } from '../../scripts/node-flags.ts';
import type { Arch } from '../../scripts/node-for.ts';
import { licences } from '../../src/runtime/licences.ts';
import { NotifySocket } from '../support/notify-socket.ts';
import { BoxProcess, run } from '../support/program.ts';
import { aSite } from '../support/site.ts';
import { suiteNeeding, suiteWhere } from '../support/tools.ts';
import { workbookParts, zipped } from '../support/workbook-parts.ts';

/**
 * The single executable itself; that it does what the program does is shown by every other test of
 * this folder.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const binary = process.env.GATEHOUSE_BINARY!;
const folder = dirname(binary);
const name = binaryName(process.arch as Arch);
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const checksums = (where: string) => readFileSync(join(where, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');

function aFolder(parent = tmpdir()): string {
  const made = mkdtempSync(join(parent, 'gatehouse-binary-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

interface Page {
  readonly status: number | undefined;
  readonly encoding: string | undefined;
  readonly bytes: Buffer;
}

const get = (box: BoxProcess, path: string, encoding = 'identity') =>
  new Promise<Page>((resolve, reject) => {
    const options = { host: '127.0.0.1', port: box.port('https'), path, rejectUnauthorized: false };
    request({ ...options, headers: { 'accept-encoding': encoding } }, async answer => {
      const bytes = Buffer.concat(await answer.toArray());
      resolve({ status: answer.statusCode, encoding: answer.headers['content-encoding'], bytes });
    })
      .on('error', reject)
      .end();
  });

suiteWhere(binary.endsWith(name), 'GATEHOUSE_BINARY is another program', 'the single executable', () => {
  test('serves the web UI from within, compressed or not', async () => {
    await using box = await BoxProcess.start({}, aSite());
    const page = (await get(box, '/')).bytes.toString();
    const files = [...page.matchAll(/"(\/ui\/[^"]+)"/g)].map(match => match[1]!);
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      const plain = await get(box, file);
      expect(plain).toMatchObject({ status: 200, encoding: undefined });
      const br = await get(box, file, 'br');
      const isSmaller = br.bytes.length < plain.bytes.length;
      expect(br).toMatchObject({ status: 200, encoding: isSmaller ? 'br' : undefined });
      // Pictures and the font are packed already, and a file of a line does not get smaller.
      if (!/\.(?:png|woff2)$/.test(file) && plain.bytes.length > 1000) expect(isSmaller, file).toBe(true);
    }
  });

  test('reads a workbook, for which it starts itself', async () => {
    await using box = await BoxProcess.start({}, aSite({ departments: [{ ext_id: '0', name: 'Plant' }] }));
    const row = (...texts: string[]) =>
      `<row>${texts.map(text => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;
    const rows = row('ext_id', 'name', 'department_ext_id') + row('e1', 'Wu', '0');
    writeFileSync(join(box.folder, 'people.xlsx'), zipped(workbookParts(rows)));
    expect(await box.run('import', 'employees', 'people.xlsx')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\+ e1/),
    });
  });

  test('starts Node as bin/gatehouse does, and nobody adds to that', async () => {
    const flags = `${read('bin/gatehouse')}${read('bin/node')}`.match(/--[a-z][\w-]+(=\S+)?/g);
    expect(flags?.sort()).toEqual([...nodeFlags].sort());
    const { status, stderr } = await run(['version'], { env: { NODE_OPTIONS: '--require=/nowhere.js' } });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(await run(['--require=/nowhere.js'])).toMatchObject({ status: 2 });
  });

  test('says which commit it is of, and its own checksum as SHA256SUMS has it', async () => {
    const git = (...args: string[]) => spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' }).stdout.trim();
    const commit = git('rev-parse', 'HEAD').slice(0, 12);
    const sha256 = checksums(folder)
      .find(line => line.endsWith(`  ${name}`))!
      .slice(0, 64);
    const { stdout } = await run(['version']);
    expect(stdout.split('\n').slice(1)).toEqual([
      expect.stringMatching(new RegExp(`^commit  ${commit}( with changes)?, \\d{4}-\\d\\d-\\d\\d$`)),
      ...[`sha256  ${sha256}  ${binary}`, ''],
    ]);
    const said = JSON.parse((await run(['version', '--json'])).stdout);
    expect(said).toMatchObject({ version: manifest.version, commit: expect.stringContaining(commit), sha256 });
    expect(said.committed_at).toBe(Number(git('log', '-1', '--format=%ct')) * 1000);
  });

  test('prints the licences of everything in it', async () => {
    const { stdout } = await run(['version', '--licences']);
    for (const one of licences) expect(stdout, one.name).toContain(one.name);
    expect(stdout).toContain('OpenSSL, located at deps/openssl');
    expect(stdout).toContain('GNU LIBRARY GENERAL PUBLIC LICENSE');
    expect(stdout).toContain(readFileSync(join(folder, 'THIRD-PARTY-LICENCES.txt'), 'utf8'));
  });

  test('has a list of what is in it: every dependency of the program, Node and its libraries, each with its licence', () => {
    const { components, dependencies } = JSON.parse(readFileSync(join(folder, 'gatehouse.cdx.json'), 'utf8'));
    const urls: string[] = components.map(({ purl }: { purl: string }) => purl);
    const wanted: Record<string, string> = JSON.parse(read('package.json')).dependencies;
    for (const [one, version] of Object.entries(wanted))
      expect(urls).toContain(
        `pkg:${version.replace('npm:@', 'npm/%40').replace(/^(?=\d)/, `npm/${one.replace('@', '%40')}@`)}`,
      );
    expect(urls).toContain(`pkg:generic/node@${process.versions.node}`);
    expect(urls).toContain(`pkg:generic/sqlite@${process.versions.sqlite}`);
    for (const one of components) expect(one, one.name).toMatchObject({ version: /\d/, licenses: [{}] });
    // Nothing hangs in the air, and nothing is named that is not there.
    const refs = dependencies.map(({ ref }: { ref: string }) => ref);
    const reached = dependencies.flatMap(({ dependsOn }: { dependsOn: string[] }) => dependsOn);
    expect(new Set([...reached, refs[0]])).toEqual(new Set(refs));
    expect(new Set(urls)).toEqual(new Set(refs.slice(1)));
  });

  test('has checksums that sha256sum understands', () => {
    const lines = checksums(folder);
    const files = readdirSync(folder).filter(one => one !== 'SHA256SUMS' && !one.startsWith('.'));
    expect(files).toContain(name);
    expect(lines.map(line => line.slice(66)).sort()).toEqual(files.sort());
    for (const line of lines) {
      const hash = createHash('sha256').update(readFileSync(join(folder, line.slice(66))));
      expect(line).toBe(`${hash.digest('hex')}  ${line.slice(66)}`);
    }
  });

  test('is the same to the last byte when it is built again, in another folder', () => {
    mkdirSync(join(root, 'dist'), { recursive: true });
    const elsewhere = aFolder(join(root, 'dist'));
    for (const one of [
      'src',
      'tools',
      'web-ui',
      'scripts',
      'package.json',
      'package-lock.json',
      'tsconfig.json',
      'LICENSE',
    ])
      cpSync(join(root, one), join(elsewhere, one), { recursive: true });
    // Hard links: half a gigabyte that nobody writes to.
    spawnSync('cp', ['-al', join(root, 'node_modules'), join(elsewhere, 'node_modules')], { stdio: 'inherit' });
    const built = spawnSync(process.execPath, ['scripts/build-binary.ts', '--arch', process.arch], {
      cwd: elsewhere,
      encoding: 'utf8',
      env: { ...process.env, TZ: 'Pacific/Auckland' },
    });
    expect(built.stderr).toBe('');
    const again = checksums(join(elsewhere, 'dist/binary'));
    expect(again).toHaveLength(3);
    expect(checksums(folder)).toEqual(expect.arrayContaining(again));
    expect(readFileSync(binary).includes(root)).toBe(false);
  });

  suiteNeeding('python3', 'python3', 'under systemd', () => {
    test('tells from its main process, with nothing of systemd installed, that it is ready', async () => {
      await using systemd = await NotifySocket.open();
      await using box = await BoxProcess.start({}, aSite(), { NOTIFY_SOCKET: systemd.address, PATH: '/nowhere' });
      expect(await systemd.senderOf('READY=1')).toBe(box.pid);
    });
  });
});

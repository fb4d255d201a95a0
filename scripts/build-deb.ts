import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  access,
  chmod,
  lutimes,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import manifest from '../package.json' with { type: 'json' };
import { commands } from '../src/cli/commands.ts';
import { completionOf } from '../src/cli/completion.ts';
import { commandsManual, configManual } from '../src/cli/man.ts';
import { commitEpoch } from './commit-epoch.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const systemd = join(root, 'systemd');

/** Debian's name of an architecture, and Node's. */
export const architectures = { arm64: 'arm64', amd64: 'x64' } as const;
export type Architecture = keyof typeof architectures;

/**
 * Where the files of `systemd/` itself go, by the end of their names; the drop-ins of a unit are a
 * folder.
 */
const byEnding: readonly (readonly [ending: RegExp, folder: string])[] = [
  [/\.(service|path|socket|timer)(\.d)?$/, 'usr/lib/systemd/system'],
  [/\.rules$/, 'usr/lib/udev/rules.d'],
];

/** Where each folder of `systemd/` goes, with its content. Missing ones are left out. */
const places: readonly (readonly [from: string, to: string])[] = [
  ['sysusers.d', 'usr/lib/sysusers.d'],
  ['tmpfiles.d', 'usr/lib/tmpfiles.d'],
  ['sysctl.d', 'usr/lib/sysctl.d'],
  ['modules-load.d', 'usr/lib/modules-load.d'],
  ['journald', 'usr/lib/systemd/journald.conf.d'],
  ['polkit', 'usr/share/polkit-1/rules.d'],
  ['dbus', 'usr/share/dbus-1/system.d'],
  ['chrony', 'etc/chrony/conf.d'],
  ['rauc', 'usr/lib/gatehouse/rauc'],
  ['networkmanager', 'etc/NetworkManager/dnsmasq-shared.d'],
  // Not enabled with the package: an operator does, who has such a stick or share.
  ['backup', 'usr/lib/systemd/system'],
  ['etc', 'etc/gatehouse'],
  ['deb/copyright', 'usr/share/doc/gatehouse/copyright'],
  ['deb/lintian-overrides', 'usr/share/lintian/overrides/gatehouse'],
];

/** The same for files that have to be executable. */
const programs: readonly (readonly [from: string, to: string])[] = [['lib', 'usr/lib/gatehouse']];

/** Where Debian's shells look for completions. */
const completions: readonly (readonly [to: string, text: string])[] = [
  ['usr/share/bash-completion/completions/gatehouse', completionOf('bash')],
  ['usr/share/zsh/vendor-completions/_gatehouse', completionOf('zsh')],
  ['usr/share/fish/vendor_completions.d/gatehouse.fish', completionOf('fish')],
];

/** The floor of Node's own build (docs/decisions/packages.md). */
const depends = ['libc6 (>= 2.28)', 'libstdc++6 (>= 8)', 'libatomic1', 'systemd (>= 252)'];
const recommends = [
  ...[
    'bluez',
    'chrony',
    'dnsmasq-base',
    'espeak-ng',
    'network-manager',
    'openssh-client',
    'polkitd',
    'rauc',
    'rauc-service',
    'udev',
  ],
];

export interface DebOptions {
  readonly architecture: Architecture;
  /** With `gatehouse-linux-{arm64,x64}`, as `npm run build:binary` makes it. */
  readonly binaries?: string;
  readonly into?: string;
}

/**
 * Makes the package and returns its path. The same commit and binary give the same bytes. Needs
 * dpkg-deb.
 */
export async function buildDeb({
  architecture,
  binaries = join(root, 'dist/binary'),
  into = join(root, 'dist/deb'),
}: DebOptions): Promise<string> {
  const program = join(binaries, `gatehouse-linux-${architectures[architecture]}`);
  await access(program).catch(() => {
    throw new Error(`there is no ${program}: npm run build:binary -- --arch ${architectures[architecture]}`);
  });
  const epoch = commitEpoch();
  if (epoch === null) throw new Error('when was this committed? Set SOURCE_DATE_EPOCH');
  const stage = await mkdtemp(join(tmpdir(), 'gatehouse-deb-'));
  try {
    await put(stage, 'usr/lib/gatehouse/gatehouse', await readFile(program), 0o755);
    await mkdir(join(stage, 'usr/bin'), { recursive: true });
    // The command runs the same program as the service, also after an update.
    await symlink('../lib/gatehouse/start', join(stage, 'usr/bin/gatehouse'));
    for (const name of await readdir(systemd))
      for (const [ending, folder] of byEnding)
        if (ending.test(name)) await copy(join(systemd, name), stage, `${folder}/${name}`, 0o644);
    for (const [from, to] of places) await copy(join(systemd, from), stage, to, 0o644);
    for (const [from, to] of programs) await copy(join(systemd, from), stage, to, 0o755);
    for (const [to, text] of completions) await put(stage, to, text, 0o644);
    for (const [name, text] of await documents(binaries, epoch))
      await put(stage, `usr/share/${name}.gz`, gzipSync(text, { level: 9 }), 0o644);
    await control(stage, architecture);
    await chmod(stage, 0o755);
    for (const entry of await readdir(stage, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isDirectory()) await chmod(path, 0o755);
      await lutimes(path, epoch, epoch);
    }
    await mkdir(into, { recursive: true });
    const made = join(into, `gatehouse_${manifest.version}_${architecture}.deb`);
    // One thread: the bytes that several threads write depend on their number.
    await run('dpkg-deb', ['--build', '--root-owner-group', '-Zxz', '--threads-max=1', stage, made], {
      SOURCE_DATE_EPOCH: String(epoch),
    });
    return made;
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** Below usr/share, compressed: the documents that were built with the binary, and the history. */
async function documents(binaries: string, epoch: number): Promise<[string, string | Buffer][]> {
  const found: [string, string | Buffer][] = [
    ['man/man1/gatehouse.1', commandsManual(commands)],
    ['man/man5/gatehouse.yaml.5', configManual()],
    ['doc/gatehouse/changelog', changelog(epoch)],
    ['doc/gatehouse/NEWS', await readFile(join(root, 'CHANGELOG.md'))],
    ['doc/gatehouse/README.md', await readFile(join(root, 'README.md'))],
  ];
  for (const folder of ['docs', 'docs/operating'])
    for (const name of await readdir(join(root, folder)))
      if (name.endsWith('.md'))
        found.push([`doc/gatehouse/${folder}/${name}`, await readFile(join(root, folder, name))]);
  for (const name of ['THIRD-PARTY-LICENCES.txt', 'gatehouse.cdx.json']) {
    const text = await readFile(join(binaries, name)).catch(() => null);
    if (text) found.push([`doc/gatehouse/${name}`, text]);
  }
  return found;
}

const maintainer = 'The authors of Gatehouse <gatehouse@gatehouse.example>';

/** Debian's format requires one; the changes are in NEWS. */
function changelog(epoch: number): string {
  const day = new Date(epoch * 1000).toUTCString().replace('GMT', '+0000');
  return `gatehouse (${manifest.version}) unstable; urgency=medium\n\n  * See NEWS.gz.\n\n -- ${maintainer}  ${day}\n`;
}

async function control(stage: string, architecture: Architecture): Promise<void> {
  const files: string[] = [];
  let bytes = 0;
  for (const entry of await readdir(stage, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) files.push(relative(stage, join(entry.parentPath, entry.name)));
    bytes += entry.isFile() ? Math.ceil((await stat(join(entry.parentPath, entry.name))).size / 1024) * 1024 : 1024;
  }
  files.sort();
  const description = await readFile(join(systemd, 'deb/description'), 'utf8');
  const fields = [
    'Package: gatehouse',
    `Version: ${manifest.version}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${bytes / 1024}`,
    `Depends: ${depends.join(', ')}`,
    `Recommends: ${recommends.join(', ')}`,
    'Section: net',
    'Priority: optional',
    `Description: ${description}`,
  ];
  const sums: string[] = [];
  for (const file of files)
    sums.push(
      `${createHash('md5')
        .update(await readFile(join(stage, file)))
        .digest('hex')}  ${file}\n`,
    );
  await put(stage, 'DEBIAN/control', fields.join('\n'), 0o644);
  await put(stage, 'DEBIAN/md5sums', sums.join(''), 0o644);
  const conffiles = files.filter(file => file.startsWith('etc/'));
  await put(stage, 'DEBIAN/conffiles', conffiles.map(file => `/${file}\n`).join(''), 0o644);
  const units = await enabledUnits();
  for (const script of ['postinst', 'prerm', 'postrm']) {
    const text = await readFile(join(systemd, 'deb', script), 'utf8');
    await put(stage, `DEBIAN/${script}`, text.replaceAll('@UNITS@', units.join(' ')), 0o755);
  }
}

/** The units with an [Install] section. */
async function enabledUnits(): Promise<string[]> {
  const units: string[] = [];
  for (const entry of await readdir(systemd, { withFileTypes: true }))
    if (entry.isFile() && /^\[Install\]$/m.test(await readFile(join(systemd, entry.name), 'utf8')))
      units.push(entry.name);
  return units.sort();
}

async function copy(from: string, stage: string, to: string, mode: number): Promise<void> {
  if (!existsSync(from)) return;
  if ((await stat(from)).isFile()) return put(stage, to, await readFile(from), mode);
  for (const name of await readdir(from)) await copy(join(from, name), stage, join(to, name), mode);
}

/** Sets the mode, whatever it is in the checkout. */
async function put(stage: string, to: string, content: string | Buffer, mode: number): Promise<void> {
  const path = join(stage, to);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  await chmod(path, mode);
}

async function run(command: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    said += text;
  });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${said}`);
  return said.trim();
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { arch: { type: 'string' } } });
  const wanted = Object.keys(architectures).filter(one => values.arch === undefined || one === values.arch);
  if (wanted.length === 0) throw new Error(`--arch ${values.arch}: write arm64 or amd64`);
  for (const architecture of wanted as Architecture[]) console.log(await buildDeb({ architecture }));
}

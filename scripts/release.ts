import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, rmSync } from 'node:fs';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import { writeChecksums } from './checksums.ts';
import { releases } from './migrations.ts';
import { type ReleaseFacts, refusalOf, tagOf } from './release-check.ts';
import type { Sbom } from './sbom.ts';
import { controlFields, type ImageContent, sbomOfImage, sbomOfPackage } from './sbom-debian.ts';
import { signList } from './sign-list.ts';
import { keyOptions, type SigningKeys, signingKeys } from './signing-keys.ts';

/**
 * `npm run release`: all that is handed out of the version of package.json, in
 * `dist/release/VERSION`, with a signed list of checksums (docs/release.md).
 *
 *   --without-images  no images and no updates of them: they take root and twenty minutes each
 *   --keys FOLDER     update-keys/ when absent; --key, --cert, --keyring: each by itself
 *
 * Everything is built in a clone of the tag, by the scripts in it: nothing of the working tree, and
 * nothing that was built before, goes in. Packages of Debian are kept from one release to the next.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = manifest;
const { values } = parseArgs({ options: { 'without-images': { type: 'boolean', default: false }, ...keyOptions } });
const withImages = !values['without-images'];
const into = join(root, 'dist/release', version);

interface Step {
  readonly makes: string;
  /** Run in the clone. */
  readonly command: readonly string[];
  /** A folder of the clone; its files are handed out, apart from `kept`. */
  readonly gives: string;
  /** An artefact with Debian's packages in it, and the file that lists them. */
  readonly image?: Pick<ImageContent, 'type' | 'name'> & { readonly list: string };
}

/** Steps in the order in which they are made: later ones need earlier ones. */
function steps({ key, cert, keyring }: SigningKeys): readonly Step[] {
  const script = (name: string, ...words: string[]) => ['bin/node', `scripts/${name}.ts`, ...words];
  const update = (...words: string[]) =>
    script('build-update', ...words, '--key', key, '--cert', cert, '--keyring', keyring);
  const boards = withImages
    ? globSync('firmware-images/*/genimage.cfg', { cwd: root }).map(file => basename(dirname(file)))
    : [];
  return [
    { makes: 'the executables', command: script('build-binary'), gives: 'dist/binary' },
    { makes: 'the packages for Debian', command: script('build-deb'), gives: 'dist/deb' },
    {
      makes: 'the container image',
      command: script('build-oci'),
      gives: 'dist/oci',
      image: { type: 'container', name: 'gatehouse-container', list: `gatehouse-${version}.oci.cdx.json` },
    },
    ...['arm64', 'x64'].map(arch => ({
      makes: `the update of the program for ${arch}`,
      command: update('--program', arch),
      gives: 'dist/updates',
    })),
    ...boards.sort().flatMap(board => [
      {
        makes: `the image for ${board}`,
        command: ['bash', 'firmware-images/build.sh', board, '--keyring', keyring],
        gives: `dist/images/${board}`,
        image: { type: 'firmware' as const, name: `gatehouse-${board}`, list: `gatehouse-${board}.img.cdx.json` },
      },
      { makes: `the update of ${board}`, command: update('--image', board), gives: 'dist/updates' },
    ]),
  ];
}

/** Files that builders leave for each other, or in place of the one list. */
const kept = new Set(['SHA256SUMS', 'root.ext4', 'boot.vfat', 'dpkg-status', 'os-release']);

const refuse = (code: string, says: string, remedy: string): never => {
  process.stderr.write(`release: ${code}: ${says}\n  ${remedy}\n`);
  process.exit(1);
};
const tell = (line: string): void => void process.stdout.write(`${line}\n`);
const git = (...words: string[]): string => execFileSync('git', ['-C', root, ...words], { encoding: 'utf8' }).trim();
const linesOf = (text: string): string[] => text.split('\n').filter(Boolean);

function facts(): ReleaseFacts {
  const known = spawnSync('git', ['-C', root, 'rev-list', '-n1', `refs/tags/${tagOf(version)}`], { encoding: 'utf8' });
  const armLibrary = '/usr/aarch64-linux-gnu/lib/libatomic.so.1';
  const needed = [
    ['openssl', 'openssl'],
    ['rauc', 'rauc'],
    ['mksquashfs', 'squashfs-tools'],
    ['dpkg-deb', 'dpkg'],
    ['/usr/share/keyrings/debian-archive-keyring.gpg', 'debian-archive-keyring'],
    // Of these is the code cache of the executable for arm64, which would differ without.
    ['qemu-aarch64-static', 'qemu-user-static'],
    [armLibrary, 'libc6-arm64-cross libstdc++6-arm64-cross libatomic1-arm64-cross'],
  ] as const;
  const isThere = (program: string) =>
    [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/'].some(folder => existsSync(join(folder, program)));
  return {
    ...{ version, withImages, released: releases(), arch: process.arch, isRoot: process.getuid?.() === 0 },
    changes: linesOf(git('status', '--porcelain')).map(line => line.replace(/^\s*\S+\s+/, '')),
    head: git('rev-parse', 'HEAD'),
    tagged: known.status === 0 ? known.stdout.trim() : null,
    tagsHere: linesOf(git('tag', '--points-at', 'HEAD')),
    made: existsSync(into),
    missing: needed.filter(([program]) => !isThere(program)),
  };
}

function keysOrRefusal(): SigningKeys {
  try {
    return signingKeys(values);
  } catch (error) {
    return refuse('no_keys', (error as Error).message, 'docs/release.md says where the keys of a release are kept');
  }
}

/** Runs a command of the build; what it says is shown only if it fails. */
function run(command: readonly string[], cwd: string): void {
  const [program, ...words] = command;
  const env = { ...process.env, TZ: 'UTC', LC_ALL: 'C.UTF-8' };
  const { status, error, stdout, stderr } = spawnSync(program!, words, {
    ...{ cwd, env, encoding: 'utf8', maxBuffer: 1 << 28 },
    // A token may ask for its PIN.
    stdio: ['inherit', 'pipe', 'pipe'],
  });
  if (status === 0) return;
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
  const ended = error?.message ?? `ended with ${status}`;
  refuse(
    'build_failed',
    `${command.join(' ')}: ${ended}`,
    'what it said stands above; nothing is left of this attempt',
  );
}

/** Copies what the folders of the clone hold, and adds the lists of what is in it. */
async function collect(clone: string, made: readonly Step[], staging: string): Promise<void> {
  for (const folder of new Set(made.map(({ gives }) => gives)))
    for (const entry of await readdir(join(clone, folder), { withFileTypes: true }))
      if (entry.isFile() && !kept.has(entry.name))
        await copyFile(join(clone, folder, entry.name), join(staging, entry.name));
  const program: Sbom = JSON.parse(await readFile(join(staging, 'gatehouse.cdx.json'), 'utf8'));
  for (const name of await readdir(staging))
    if (name.endsWith('.deb')) {
      const fields = execFileSync('dpkg-deb', ['-f', join(staging, name)], { encoding: 'utf8' });
      await writeFile(join(staging, `${name}.cdx.json`), sbomOfPackage(program, controlFields(fields)));
    }
  for (const { image, gives } of made) {
    if (image === undefined) continue;
    const ofRoot = (name: string) => readFile(join(clone, gives, name), 'utf8');
    const debian = { status: await ofRoot('dpkg-status'), osRelease: await ofRoot('os-release') };
    await writeFile(join(staging, image.list), sbomOfImage(program, { ...image, version, ...debian }));
  }
}

if (!existsSync(join(root, '.git'))) refuse('no_repository', `${root} is no checkout`, 'clone the repository with git');
const checked = facts();
const refusal = refusalOf(checked);
if (refusal) refuse(refusal.code, refusal.says, refusal.remedy);
const keys = keysOrRefusal();
// Each of these changes what is built: the moment is that of the commit.
for (const name of ['SOURCE_DATE_EPOCH', 'NODE_OPTIONS', 'NODE_ENV']) delete process.env[name];
// Modes are in what is packed.
process.umask(0o022);
// Not /tmp, which may be memory: images take gigabytes, and their block maps would be others.
const clone = await mkdtemp(join(process.env.TMPDIR ?? '/var/tmp', 'gatehouse-release-'));
await mkdir(dirname(into), { recursive: true });
const staging = await mkdtemp(join(dirname(into), `.${version}-`));
// An interrupt ends the command that runs, and is taken when that has ended.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.on('exit', () => {
  for (const folder of [clone, staging]) rmSync(folder, { recursive: true, force: true });
});
tell(`${tagOf(version)}: a clone of it, and its packages`);
run(['git', 'clone', '--quiet', '--no-checkout', root, clone], root);
run(['git', 'checkout', '--quiet', '--detach', checked.head], clone);
run(['npm', 'ci', '--ignore-scripts', '--prefer-offline', '--include=dev', '--no-audit', '--no-fund'], clone);
// Files of Debian, which have the checksums that the tag lists, or are not taken.
const debian = 'node_modules/.cache/debian';
await mkdir(join(root, debian), { recursive: true });
await mkdir(join(clone, dirname(debian)), { recursive: true });
await symlink(join(root, debian), join(clone, debian));
const wanted = steps(keys);
for (const { makes, command } of wanted) {
  tell(makes);
  run(command, clone);
}
await collect(clone, wanted, staging);
await writeChecksums(staging);
await signList(keys, staging);
await rm(clone, { recursive: true });
await chmod(staging, 0o755);
await rename(staging, into);
tell('');
for (const name of (await readdir(into)).sort())
  tell(`${String(Math.ceil((await stat(join(into, name))).size / 1000)).padStart(9)} kB  ${name}`);
tell(`\n${relative(process.cwd(), into) || '.'}: signed by ${subjectOf(keys.cert)}`);
if (!withImages) tell('Without images and their updates: npm run release as root makes them too.');

function subjectOf(cert: string): string {
  return execFileSync('openssl', ['x509', '-in', cert, '-noout', '-subject'], { encoding: 'utf8' })
    .trim()
    .replace(/^subject= ?/, '');
}

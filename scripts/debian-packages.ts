import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Architecture } from './build-deb.ts';

const execute = promisify(execFile);
const cache = fileURLToPath(new URL('../node_modules/.cache/debian', import.meta.url));
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Debian packages, each of one version, as a file in the repository lists them. */
export interface DebianList {
  readonly suite: string;
  /** Of the archive. */
  readonly components: string;
  readonly packages: readonly DebianPackage[];
}

export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  /** Of the .deb file, by architecture. */
  readonly sha256: Readonly<Partial<Record<Architecture, string>>>;
}

export const readList = async <List extends DebianList>(file: string): Promise<List> =>
  JSON.parse(await readFile(file, 'utf8'));

export const writeList = (file: string, list: DebianList): Promise<void> =>
  writeFile(file, `${JSON.stringify(list, null, 2)}\n`);

/**
 * Files of the packages of a list, which are fetched once and kept. Throws where the archive has a
 * version no more, or another file of it; `refresh` is the command that takes newer ones.
 */
export async function packageFiles(
  { packages, ...archive }: DebianList,
  architecture: Architecture,
  refresh: string,
): Promise<readonly string[]> {
  await mkdir(cache, { recursive: true });
  const missing: DebianPackage[] = [];
  for (const one of packages) if (!(await isKept(one, architecture))) missing.push(one);
  const remedy = `${refresh} takes what the archive has now; a file of https://snapshot.debian.org can be put into ${await realpath(cache)}`;
  if (missing.length > 0) {
    await using apt = await openApt(archive, [architecture]);
    const files = await apt
      .download(missing.map(({ name, version }) => `${name}:${architecture}=${version}`))
      .catch(error => {
        throw new Error(`${(error as Error).message}\n${remedy}`);
      });
    for (const file of files) await rename(file, join(cache, basename(file)));
    for (const one of missing)
      if (!(await isKept(one, architecture)))
        throw new Error(`${await fileOf(one, architecture)}: not of the checksum in the list: ${remedy}`);
  }
  return Promise.all(packages.map(one => fileOf(one, architecture)));
}

/** As apt names it; a package of no architecture in particular has `all`. */
async function fileOf({ name, version }: DebianPackage, architecture: Architecture): Promise<string> {
  const path = (arch: string) => join(cache, `${name}_${version.replace(':', '%3a')}_${arch}.deb`);
  return access(path('all')).then(
    () => path('all'),
    () => path(architecture),
  );
}

const isKept = async (one: DebianPackage, architecture: Architecture): Promise<boolean> =>
  (await sumOf(await fileOf(one, architecture)).catch(() => '')) === one.sha256[architecture];

const sumOf = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

interface Offered {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
}

/**
 * An apt of its own beside the machine's: for other architectures, and for a suite that the machine
 * need not have, with its updates. Signatures are checked.
 */
export async function openApt(
  { suite, components }: Omit<DebianList, 'packages'>,
  architectures: readonly Architecture[],
) {
  await access(keyring).catch(() => {
    throw new Error(`${keyring} is missing: apt-get install debian-archive-keyring`);
  });
  const sources = await sourcesOf(suite);
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-apt-'));
  const got = join(folder, 'got');
  for (const one of ['lists/partial', 'archives/partial', 'got']) await mkdir(join(folder, one), { recursive: true });
  await writeFile(join(folder, 'status'), '');
  const options = `[signed-by=${keyring} arch=${architectures.join()}]`;
  const lines = sources.map(source => `deb ${options} ${source} ${components}\n`);
  await writeFile(join(folder, 'sources.list'), lines.join(''));
  const settings = [
    `Dir::State=${folder}`,
    `Dir::State::status=${folder}/status`,
    `Dir::Cache=${folder}`,
    `Dir::Etc::sourcelist=${folder}/sources.list`,
    'Dir::Etc::sourceparts=/dev/null',
    'Acquire::Languages=none',
    'APT::Sandbox::User=root',
    `APT::Architecture=${architectures[0]}`,
    ...architectures.map(one => `APT::Architectures::=${one}`),
  ].flatMap(setting => ['-o', setting]);
  const apt = async (words: readonly string[]): Promise<string> => {
    const options = { cwd: got, maxBuffer: 1 << 26 };
    const { stdout } = await execute('apt-get', [...settings, '--quiet', ...words], options).catch(error => {
      throw new Error(`apt-get ${words[0]}: ${(error as { stderr: string }).stderr.trim()}`);
    });
    return stdout;
  };
  const wouldFetch = async (words: readonly string[]): Promise<readonly Offered[]> => {
    const said = await apt(['--quiet', '--yes', '--print-uris', ...words]);
    return [...said.matchAll(/^'\S+' ([^_\s]+)_([^_\s]+)_\S+\.deb \d+ (?:SHA256:)?(\S*)$/gm)].map(
      ([, name, version, sha256]) => ({ name: name!, version: decodeURIComponent(version!), sha256: sha256! }),
    );
  };
  await apt(['update']);
  return {
    /** Fetches packages, `NAME:ARCHITECTURE=VERSION`, into files that are gone with this apt. */
    async download(packages: readonly string[]): Promise<readonly string[]> {
      await apt(['download', ...packages]);
      return (await readdir(got)).map(name => join(got, name));
    },
    /** Names of packages with all that they depend on, recommendations apart, each as `NAME=VERSION`. */
    async withDependencies(names: readonly string[]): Promise<readonly string[]> {
      const found = await wouldFetch(['install', '--no-install-recommends', ...names]);
      return found.map(({ name, version }) => `${name}=${version}`);
    },
    /** Versions of packages, by default the newest, with the checksums that the archive signed. */
    newest: (names: readonly string[]): Promise<readonly Offered[]> => wouldFetch(['download', ...names]),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A suite, its updates and its security updates, on the mirrors from which this machine takes its own packages. */
async function sourcesOf(suite: string): Promise<readonly string[]> {
  const format = ['--format', '$(REPO_URI) $(ORIGIN) $(LABEL)', 'Created-By: Packages'];
  const { stdout } = await execute('apt-get', ['indextargets', ...format]);
  const mirror = /^(\S+) Debian Debian$/m.exec(stdout)?.[1];
  if (mirror === undefined)
    throw new Error('apt knows no archive of Debian: build on Debian, or name one in /etc/apt/sources.list.d');
  const security = /^(\S+) Debian Debian-Security$/m.exec(stdout)?.[1];
  return [
    ...[`${mirror} ${suite}`, `${mirror} ${suite}-updates`],
    ...(security === undefined ? [] : [`${security} ${suite}-security`]),
  ];
}

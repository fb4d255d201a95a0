import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Architecture, architectures } from '../build-deb.ts';

const run = promisify(execFile);
const listFile = fileURLToPath(new URL('debian.json', import.meta.url));
const cache = fileURLToPath(new URL('../../node_modules/.cache/oci', import.meta.url));
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
const refresh = 'npm run build:oci -- --newest takes what the archive has now; an older file can be put there by hand';

/** Debian packages of the image, each of one version, by `debian.json`. */
interface DebianList {
  readonly suite: string;
  readonly packages: readonly DebianPackage[];
}

interface DebianPackage {
  readonly name: string;
  readonly version: string;
  /** Of the .deb file. */
  readonly sha256: Readonly<Record<Architecture, string>>;
}

const readList = async (): Promise<DebianList> => JSON.parse(await readFile(listFile, 'utf8'));

/** Packages of an architecture, unpacked into a new folder, which the caller removes. */
export interface UnpackedDebian {
  readonly folder: string;
  /** As `/var/lib/dpkg/status` has them: scanners read there which packages an image has. */
  readonly status: string;
}

export async function unpackedDebian(architecture: Architecture): Promise<UnpackedDebian> {
  const { suite, packages } = await readList();
  await mkdir(cache, { recursive: true });
  const missing: DebianPackage[] = [];
  for (const one of packages) if (!(await isKept(one, architecture))) missing.push(one);
  if (missing.length > 0) {
    await using apt = await openApt(suite);
    for (const { name, version } of missing) await apt.download(`${name}:${architecture}=${version}`);
    for (const one of missing) {
      await rename(await apt.fileOf(one.name, architecture), fileOf(one, architecture)).catch(() => {});
      if (!(await isKept(one, architecture)))
        throw new Error(`${fileOf(one, architecture)}: not of the checksum in ${listFile}: ${refresh}`);
    }
  }
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-oci-'));
  const paragraphs: string[] = [];
  for (const one of packages) {
    const file = fileOf(one, architecture);
    await run('dpkg-deb', ['--extract', file, folder]);
    const { stdout } = await run('dpkg-deb', ['--field', file]);
    paragraphs.push(stdout.trimEnd().replace(/^Version:/m, 'Status: install ok installed\nVersion:'));
  }
  return { folder, status: `${paragraphs.join('\n\n')}\n` };
}

/** Writes the newest versions of the suite to `debian.json`. */
export async function takeNewest(): Promise<void> {
  const { suite, packages } = await readList();
  const taken: DebianPackage[] = [];
  await mkdir(cache, { recursive: true });
  await using apt = await openApt(suite);
  for (const { name } of packages) {
    const versions = new Set<string>();
    const sha256 = {} as Record<Architecture, string>;
    for (const architecture of Object.keys(architectures) as Architecture[]) {
      await apt.download(`${name}:${architecture}`);
      const file = await apt.fileOf(name, architecture);
      const version = (await run('dpkg-deb', ['--field', file, 'Version'])).stdout.trim();
      versions.add(version);
      sha256[architecture] = await sumOf(file);
      await rename(file, fileOf({ name, version, sha256 }, architecture));
    }
    const [version, ...others] = versions;
    if (others.length > 0) throw new Error(`${name}: ${[...versions].join(' and ')}: wait for the other architecture`);
    taken.push({ name, version: version!, sha256 });
  }
  await writeFile(listFile, `${JSON.stringify({ suite, packages: taken }, null, 2)}\n`);
}

const fileOf = ({ name, version }: DebianPackage, architecture: Architecture): string =>
  join(cache, `${name}_${version}_${architecture}.deb`);

const sumOf = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

const isKept = async (one: DebianPackage, architecture: Architecture): Promise<boolean> =>
  (await sumOf(fileOf(one, architecture)).catch(() => '')) === one.sha256[architecture];

/**
 * An apt of its own beside the machine's: for both architectures, and for a suite that the machine
 * need not have.
 */
async function openApt(suite: string) {
  await access(keyring).catch(() => {
    throw new Error(`${keyring} is missing: apt-get install debian-archive-keyring`);
  });
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-apt-'));
  for (const one of ['lists/partial', 'archives/partial', 'got']) await mkdir(join(folder, one), { recursive: true });
  await writeFile(join(folder, 'status'), '');
  const mirror = await mirrorOfMachine();
  if (mirror === null)
    throw new Error(
      'apt knows no archive of Debian: build the image on Debian, or name one in /etc/apt/sources.list.d',
    );
  const archs = Object.keys(architectures);
  const source = `deb [signed-by=${keyring} arch=${archs.join()}] ${mirror} ${suite} main\n`;
  await writeFile(join(folder, 'sources.list'), source);
  const settings = [
    `Dir::State=${folder}`,
    `Dir::State::status=${folder}/status`,
    `Dir::Cache=${folder}`,
    `Dir::Etc::sourcelist=${folder}/sources.list`,
    'Dir::Etc::sourceparts=/dev/null',
    'Acquire::Languages=none',
    'APT::Sandbox::User=root',
    `APT::Architecture=${archs[0]}`,
    ...archs.map(one => `APT::Architectures::=${one}`),
  ].flatMap(setting => ['-o', setting]);
  const apt = (...words: string[]) =>
    run('apt-get', [...settings, '--quiet', ...words], { cwd: join(folder, 'got') }).catch(error => {
      throw new Error(
        `apt-get ${words.join(' ')}: ${(error as { stderr: string }).stderr.trim()}\n${refresh} (${cache})`,
      );
    });
  await apt('update');
  return {
    download: (what: string) => apt('download', what),
    /** Name of the file that was downloaded: apt writes `:` of an epoch in another way. */
    async fileOf(name: string, architecture: Architecture): Promise<string> {
      const names = await readdir(join(folder, 'got'));
      return join(
        folder,
        'got',
        names.find(one => one.startsWith(`${name}_`) && one.endsWith(`_${architecture}.deb`))!,
      );
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Mirror from which this machine takes Debian's packages; null: it is no Debian. */
async function mirrorOfMachine(): Promise<string | null> {
  const format = ['--format', '$(REPO_URI) $(ORIGIN) $(LABEL)', 'Created-By: Packages'];
  const { stdout } = await run('apt-get', ['indextargets', ...format]);
  return /^(\S+) Debian Debian$/m.exec(stdout)?.[1] ?? null;
}

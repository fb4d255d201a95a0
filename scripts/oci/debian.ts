import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Architecture, architectures } from '../build-deb.ts';
import { type DebianPackage, openApt, packageFiles, readList, writeList } from '../debian-packages.ts';

const run = promisify(execFile);
const listFile = fileURLToPath(new URL('debian.json', import.meta.url));

/** Packages of an architecture, unpacked into a new folder, which the caller removes. */
export interface UnpackedDebian {
  readonly folder: string;
  /** As `/var/lib/dpkg/status` has them: scanners read there which packages an image has. */
  readonly status: string;
}

export async function unpackedDebian(architecture: Architecture): Promise<UnpackedDebian> {
  const files = await packageFiles(await readList(listFile), architecture, 'npm run build:oci -- --newest');
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-oci-'));
  const paragraphs: string[] = [];
  for (const file of files) {
    await run('dpkg-deb', ['--extract', file, folder]);
    const { stdout } = await run('dpkg-deb', ['--field', file]);
    paragraphs.push(stdout.trimEnd().replace(/^Version:/m, 'Status: install ok installed\nVersion:'));
  }
  return { folder, status: `${paragraphs.join('\n\n')}\n` };
}

/** Writes the newest versions of the suite to `debian.json`. */
export async function takeNewest(): Promise<void> {
  const { packages, ...archive } = await readList(listFile);
  const archs = Object.keys(architectures) as Architecture[];
  await using apt = await openApt(archive, archs);
  const taken: DebianPackage[] = [];
  for (const { name } of packages) {
    const versions = new Set<string>();
    const sha256: Partial<Record<Architecture, string>> = {};
    for (const architecture of archs) {
      const [newest] = await apt.newest([`${name}:${architecture}`]);
      versions.add(newest!.version);
      sha256[architecture] = newest!.sha256;
    }
    const [version, ...others] = versions;
    if (others.length > 0) throw new Error(`${name}: ${[...versions].join(' and ')}: wait for the other architecture`);
    taken.push({ name, version: version!, sha256 });
  }
  await writeList(listFile, { ...archive, packages: taken });
}

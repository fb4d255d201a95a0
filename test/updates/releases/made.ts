import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from '../../../package.json' with { type: 'json' };
import { buildUnlessBuilt } from '../../../scripts/build.ts';
import { architectures, buildDeb } from '../../../scripts/build-deb.ts';
import { buildOci } from '../../../scripts/build-oci.ts';
import { tagOf } from '../../../scripts/release-check.ts';
import { makeNewer } from '../../support/other-version.ts';
import { otherVersionOf, standIn } from '../../system/deb.cases.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Newer than every release. */
export const present = '99.0.0';

/** Files of one version, as they are handed out. */
interface Handed {
  readonly deb: string;
  readonly image: string;
}

/**
 * A release, and the program under test as a version after it, which has one migration more:
 * packages, images and the bundles of the programs. Stand-ins in the place of both programs start
 * the bundles below `opt`, which is the machine's /opt, as compressing a program takes a minute.
 */
export class Made implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-made-'));
  readonly opt = join(this.folder, 'opt');
  readonly version: string;
  release!: Handed;
  present!: Handed;
  /** The program of a bundle for `gatehouse update`. */
  readonly presentProgram = standIn.replace('/opt/dist', '/opt/newer');

  private constructor(version: string) {
    this.version = version;
  }

  static async of(version: string): Promise<Made> {
    const made = new Made(version);
    await buildUnlessBuilt();
    mkdirSync(made.opt);
    copyFileSync(process.execPath, join(made.opt, 'node'));
    chmodSync(join(made.opt, 'node'), 0o755);
    const tree = await made.#handedOut('tree', standIn, manifest.version);
    made.release = version === manifest.version ? tree : made.#ofTag();
    made.#takeDist(version === manifest.version ? root : made.#clone, 'dist');
    made.#takeDist(root, 'newer');
    await makeNewer(join(made.opt, 'newer'), present, ['CREATE TABLE of_the_present (n INTEGER)']);
    const { image } = await made.#handedOut('present', made.presentProgram, present);
    const deb = join(made.folder, `gatehouse_${present}_amd64.deb`);
    await otherVersionOf(tree.deb, deb, { version: present, dist: '/opt/newer' });
    made.present = { deb, image };
    return made;
  }

  async #handedOut(name: string, program: string, version: string): Promise<Handed> {
    const into = join(this.folder, name);
    const binaries = this.#standIns(join(into, 'binary'), program);
    return {
      deb: await buildDeb({ architecture: 'amd64', binaries, into }),
      image: await buildOci({ wanted: ['amd64'], binaries, into, version }),
    };
  }

  get #clone(): string {
    return join(this.folder, 'clone');
  }

  /** By the scripts of the release itself, at its tag. */
  #ofTag(): Handed {
    const clone = this.#clone;
    const run = (program: string, ...words: string[]) =>
      execFileSync(program, words, { cwd: clone, stdio: ['ignore', 'ignore', 'inherit'] });
    mkdirSync(clone);
    run('git', 'clone', '--quiet', '--no-checkout', root, '.');
    run('git', 'checkout', '--quiet', '--detach', tagOf(this.version));
    run('npm', 'ci', '--ignore-scripts', '--prefer-offline', '--include=dev', '--no-audit', '--no-fund');
    this.#standIns(join(clone, 'dist/binary'), standIn);
    for (const name of ['build', 'build-deb', 'build-oci']) run('bin/node', `scripts/${name}.ts`);
    return {
      deb: join(clone, `dist/deb/gatehouse_${this.version}_amd64.deb`),
      image: join(clone, `dist/oci/gatehouse-${this.version}.oci.tar`),
    };
  }

  #standIns(folder: string, program: string): string {
    mkdirSync(folder, { recursive: true });
    for (const name of Object.values(architectures)) writeFileSync(join(folder, `gatehouse-linux-${name}`), program);
    return folder;
  }

  #takeDist(checkout: string, as: string): void {
    const filter = (path: string) => !basename(path).startsWith('.') && !/\.map$|dist\/(binary|deb|oci)$/.test(path);
    cpSync(join(checkout, 'dist'), join(this.opt, as), { recursive: true, filter });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

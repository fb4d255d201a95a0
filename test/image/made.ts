import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from './run.ts';

export interface MadeImage {
  readonly board: string;
  readonly image: string;
  /** Of the root, as both slots hold it. */
  readonly rootFileSystem: string;
}

const script = (name: string, ...words: string[]) => run('npm', ['run', '--silent', name, '--', ...words]);
const made = new Map<string, Promise<MadeImage>>();
let packaged: Promise<void> | undefined;

/**
 * The image of a board, made of this checkout. `GATEHOUSE_IMAGES` names a folder like `dist/images`
 * whose images are taken as they are; `GATEHOUSE_IMAGE_ROOT` a root that make-root.sh made.
 */
export function imageOf(board: string): Promise<MadeImage> {
  const known = made.get(board) ?? make(board);
  made.set(board, known);
  return known;
}

async function make(board: string): Promise<MadeImage> {
  const prepared = process.env.GATEHOUSE_IMAGES;
  if (!prepared) {
    packaged ??= makePackage();
    await packaged;
    const rootTar = process.env.GATEHOUSE_IMAGE_ROOT;
    await script('build:image', board, '--fast', ...(rootTar ? ['--root', rootTar] : []));
  }
  const folder = join(prepared ?? join(root, 'dist/images'), board);
  return { board, image: join(folder, `gatehouse-${board}.img`), rootFileSystem: join(folder, 'root.ext4') };
}

async function makePackage(): Promise<void> {
  await script('build:binary', '--arch', 'arm64');
  await script('build:deb', '--arch', 'arm64');
  if (!existsSync(join(root, 'update-keys'))) await script('update-keys');
}

/** Bundles that are made when they are asked for. */
export interface Bundles extends AsyncDisposable {
  image(version: string): Promise<string>;
  /** A system whose program ends at once, and which is judged after half a minute. */
  brokenImage(version: string): Promise<string>;
  /** The root of that system, once it was asked for. */
  readonly brokenRoot: string;
  program(): Promise<string>;
  /** Signed by somebody whom the image does not know. */
  foreign(): Promise<string>;
}

export async function bundlesOf({ board, rootFileSystem }: MadeImage): Promise<Bundles> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bundles-'));
  const file = (name: string) => join(folder, name);
  const bundle = async (name: string, ...words: string[]) => {
    await script('build:update', ...words, '--out', file(name));
    return file(name);
  };
  const broken = file('broken.ext4');
  return {
    brokenRoot: broken,
    image: version => bundle('image.raucb', '--image', board, '--version', version, '--from', rootFileSystem),
    async brokenImage(version) {
      await run('cp', ['--sparse=always', rootFileSystem, broken]);
      await writeFile(file('program'), '#!/bin/sh\nexit 1\n');
      await writeFile(file('judge'), '[Service]\nEnvironment=GATEHOUSE_HEALTH_LIMIT=30\n');
      const unit = '/etc/systemd/system/gatehouse-health.service.d';
      await writeFile(
        file('commands'),
        [
          'rm /usr/lib/gatehouse/gatehouse',
          `write ${file('program')} /usr/lib/gatehouse/gatehouse`,
          'sif /usr/lib/gatehouse/gatehouse mode 0100755',
          `mkdir ${unit}`,
          `write ${file('judge')} ${unit}/test.conf`,
          '',
        ].join('\n'),
      );
      await run('debugfs', ['-w', '-f', file('commands'), broken]);
      return bundle('broken.raucb', '--image', board, '--version', version, '--from', broken);
    },
    program: () => bundle('program.raucb', '--program', 'arm64'),
    async foreign() {
      await script('update-keys', file('foreign-keys'));
      return bundle('foreign.raucb', '--program', 'arm64', '--keys', file('foreign-keys'));
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TarEntry } from '../../src/runtime/tar.ts';
import type { Architecture } from '../build-deb.ts';

import { unpackedDebian } from './debian.ts';

/** User and group of the program, by number: runtimes that insist on another user than root ask for one. */
export const uid = 10001;

/**
 * Files of Debian's packages that the image has: the libraries that the executable names, their
 * loader, a shell, which sets the bounds of programs that are not believed
 * (`src/runtime/bounded-program.ts`), and the licences.
 */
const taken: readonly RegExp[] = [
  /^lib64$|^lib$|^bin$/,
  /^usr\/lib\/[a-z0-9_]+-linux-gnu\/(libc\.so\.6|libdl\.so\.2|libm\.so\.6|libpthread\.so\.0|libgcc_s\.so\.1|ld-linux-[a-z0-9-]+\.so\.[12])$/,
  /^usr\/lib\/[a-z0-9_]+-linux-gnu\/(libstdc\+\+|libatomic)\.so\.\d+(\.\d+)*$/,
  /^usr\/lib(64)?\/ld-linux-[a-z0-9-]+\.so\.[12]$/,
  /^usr\/bin\/(dash|sh)$/,
  /^(usr\/lib|etc)\/os-release$/,
  /^usr\/share\/doc\/[^/]+(\/copyright)?$/,
  /^usr\/share\/common-licenses\/(GPL-2|GPL-3|LGPL-2\.1|GFDL-1\.3|BSD|Apache-2\.0)$/,
];

/** Where a runtime mounts something: it cannot make the folder in a root that is read-only. */
const mountPoints = ['dev', 'proc', 'run', 'sys'];

export const dpkgStatus = 'var/lib/dpkg/status';
export const osRelease = 'usr/lib/os-release';

const nameServices = 'passwd: files\ngroup: files\nhosts: files dns\n';
const users = `root:x:0:0:root:/:/bin/sh\ngatehouse:x:${uid}:${uid}:gatehouse:/data:/bin/sh\n`;
const groups = `root:x:0:\ngatehouse:x:${uid}:\n`;

/** Files below the program: those of Debian, and the few that its C library reads. */
export async function baseOf(architecture: Architecture): Promise<TarEntry[]> {
  const { folder, status } = await unpackedDebian(architecture);
  try {
    const entries = new Map<string, TarEntry>();
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const one of found) {
      const path = join(one.parentPath, one.name).slice(folder.length + 1);
      if (one.isDirectory() || !taken.some(pattern => pattern.test(path))) continue;
      const whole = join(folder, path);
      entries.set(
        path,
        one.isSymbolicLink()
          ? { name: path, mode: 0o777, target: await readlink(whole) }
          : { name: path, mode: /\.so\.|\/bin\//.test(path) ? 0o755 : 0o644, bytes: await readFile(whole) },
      );
    }
    for (const path of mountPoints) entries.set(path, { name: path, mode: 0o755 });
    entries.set('tmp', { name: 'tmp', mode: 0o1777 });
    for (const [path, text] of [
      ['etc/passwd', users],
      ['etc/group', groups],
      ['etc/nsswitch.conf', nameServices],
      [dpkgStatus, status],
    ] as const)
      entries.set(path, textFile(path, text));
    return withFolders([...entries.values()]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const textFile = (name: string, text: string): TarEntry => ({ name, mode: 0o644, bytes: Buffer.from(text) });

/** In the order of their paths, with the folders that they stand in before them. */
export function withFolders(entries: readonly TarEntry[]): TarEntry[] {
  const all = new Map(entries.map(entry => [entry.name, entry]));
  for (const { name } of entries)
    for (let at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) {
      const folder = name.slice(0, at);
      if (!all.has(folder)) all.set(folder, { name: folder, mode: 0o755 });
    }
  return [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

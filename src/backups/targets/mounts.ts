import { readFile } from 'node:fs/promises';
import { withoutEnd } from '../../runtime/without-end.ts';

interface Mount {
  /** File system, such as `vfat` or `cifs`. */
  readonly type: string;
  /** A device, or a share such as `//nas/backup`. */
  readonly source: string;
  /** The label of the file system; null: it has none, or it is a share. */
  readonly label: string | null;
}

/**
 * Mount at exactly this path, as this process sees it; null if there is none, or only an automount
 * before its first access. Touches nothing of the path, so that a share that is away does not hold
 * it up.
 */
export async function mountAt(path: string): Promise<Mount | null> {
  const wanted = path.slice(0, 1) + withoutEnd(path.slice(1), '/');
  let found: Mount | null = null;
  // ID PARENT MAJOR:MINOR ROOT MOUNTPOINT OPTIONS [FIELDS] - TYPE SOURCE SUPEROPTIONS
  for (const line of (await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')).split('\n')) {
    const [left = '', right = ''] = line.split(' - ');
    const [, , numbers = '', , point = ''] = left.split(' ');
    const [type = '', source = ''] = right.split(' ');
    if (unescaped(point) !== wanted) continue;
    // The last one stands on top.
    found = type === 'autofs' ? null : { type, source: unescaped(source), label: await labelOf(numbers) };
  }
  return found;
}

/** Mount in words, such as `vfat GHBACKUP` or `cifs //nas/backup`. */
export const mountInWords = ({ type, source, label }: Mount): string => `${type} ${label ?? source}`;

/** As udev read it: the devices themselves are hidden from the service. */
async function labelOf(numbers: string): Promise<string | null> {
  const known = await readFile(`/run/udev/data/b${numbers}`, 'utf8').catch(() => '');
  return /^E:ID_FS_LABEL=(.+)$/m.exec(known)?.[1] ?? null;
}

/** Blanks and the like are octal there. */
const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

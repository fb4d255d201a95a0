import { createHash } from 'node:crypto';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MadeImage } from './made.ts';
import { run } from './run.ts';

export interface Partition {
  readonly number: number;
  readonly type: number;
  /** In sectors of 512 bytes. */
  readonly start: number;
  readonly sectors: number;
}

const sectorBytes = 512;

/** Reads an image the way a firmware would: its MBR, its FAT partitions, and files of its root. */
export async function inspected({ image, rootFileSystem }: MadeImage) {
  const file = await open(image);
  const sector = async (at: number) => {
    const bytes = Buffer.alloc(sectorBytes);
    await file.read(bytes, 0, sectorBytes, at * sectorBytes);
    return bytes;
  };
  const entries = (bytes: Buffer) =>
    [0, 1, 2, 3].map(index => {
      const at = 446 + 16 * index;
      return { type: bytes[at + 4]!, start: bytes.readUInt32LE(at + 8), sectors: bytes.readUInt32LE(at + 12) };
    });
  const mbr = await sector(0);
  const partitions: Partition[] = entries(mbr).map((entry, index) => ({ number: index + 1, ...entry }));
  const extended = partitions.find(({ type }) => type === 0x0f || type === 0x05);
  // Logical partitions stand in a chain of tables, each relative to its own place.
  for (let table = extended?.start ?? 0, number = 5; extended && number < 20; number++) {
    const [own, next] = entries(await sector(table));
    if (!own?.type) break;
    partitions.push({ number, type: own.type, start: table + own.start, sectors: own.sectors });
    if (!next?.type) break;
    table = extended.start + next.start;
  }
  await file.close();
  const place = (number: number) => `${image}@@${partitions.find(one => one.number === number)!.start * sectorBytes}`;
  const names = async (number: number) =>
    (await run('mdir', ['-b', '-i', place(number), '::/']))
      .split('\n')
      .map(line => line.replace('::/', '').trim().toLowerCase())
      .filter(Boolean)
      .sort();
  const fat = extended !== undefined;
  const texts = new Map<string, string>();
  for (const name of fat ? ['cmdline-a.txt', 'cmdline-b.txt', 'config.txt'] : [])
    texts.set(name, await run('mtype', ['-i', place(2), `::/${name}`]));
  return {
    partitions,
    diskSignature: mbr.readUInt32LE(440).toString(16),
    card: fat ? await names(1) : [],
    bootA: fat ? await names(2) : [],
    bootB: fat ? await names(3) : [],
    text: (name: string) => texts.get(name) ?? '',
    async digestOf(path: string): Promise<string> {
      const folder = await mkdtemp(join(tmpdir(), 'gatehouse-root-'));
      try {
        await run('debugfs', ['-R', `dump ${path} ${join(folder, 'file')}`, rootFileSystem]);
        return createHash('sha256')
          .update(await readFile(join(folder, 'file')))
          .digest('hex');
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

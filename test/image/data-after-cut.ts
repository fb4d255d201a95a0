import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { repair } from '../power/recover.ts';
import { readStored } from '../power/stored.ts';
import { placesOn } from './places.ts';
import { run } from './run.ts';

/** The data partition of a card, outside of it. */
export interface DataPartition {
  readonly image: string;
  /** What it holds. */
  readonly folder: string;
  readonly bytes: number;
}

/** Takes the data partition out of a card and repairs it, as the image does at each start. */
export async function withData<T>(card: string, work: string, look: (data: DataPartition) => Promise<T>): Promise<T> {
  const { at, bytes } = (await placesOn(card)).data;
  const image = join(work, 'data.img');
  const folder = join(work, 'data');
  await mkdir(folder, { recursive: true });
  try {
    const range = [`skip=${at}`, `count=${bytes}`, 'iflag=skip_bytes,count_bytes'];
    await run('dd', [`if=${card}`, `of=${image}`, 'bs=1M', 'conv=sparse', 'status=none', ...range]);
    await repair(image);
    await run('debugfs', ['-R', `rdump / ${folder}`, image]);
    return await look({ image, folder, bytes });
  } finally {
    await rm(image, { force: true });
    await rm(folder, { recursive: true, force: true });
  }
}

/** Its file system: the block size in bytes, and the portion of the partition that it uses. */
export async function fileSystemOf({ image, bytes }: DataPartition): Promise<{ blockBytes: number; portion: number }> {
  const superblock = await run('dumpe2fs', ['-h', image]);
  const [blocks, blockBytes] = ['Block count', 'Block size'].map(name =>
    Number(new RegExp(`^${name}: +(\\d+)$`, 'm').exec(superblock)![1]),
  ) as [number, number];
  return { blockBytes, portion: (blocks * blockBytes) / bytes };
}

/** Which of these records it has not. Throws when the store is damaged. */
export async function missingRecords({ folder }: DataPartition, texts: readonly string[]): Promise<string[]> {
  if (texts.length === 0) return [];
  const { journal, logs, quickCheck, damagedSegments, auditBroken } = await readStored(join(folder, 'gatehouse'));
  const wrong = [quickCheck === 'ok' ? '' : quickCheck, damagedSegments.join(), auditBroken ?? ''].filter(Boolean);
  if (wrong.length > 0) throw new Error(`the store is damaged: ${wrong.join('; ')}`);
  const held = new Set([...journal, ...logs].map(({ text }) => text));
  return texts.filter(text => !held.has(text));
}

/**
 * What an installer put on the card and is neither there as it was nor in force: a box takes each
 * file, notes on the card which ones it has taken, and wipes those. `settings`: the `gatehouse.yaml`
 * and a `site.yaml` with the product FACE-T1.
 */
export async function lostSettings(
  card: string,
  { folder }: DataPartition,
  settings: Readonly<Record<'gatehouse.yaml' | 'site.yaml', string>>,
): Promise<string[]> {
  const { at } = (await placesOn(card)).card;
  const onCard = (name: string) => run('mtype', ['-i', `${card}@@${at}`, `::/${name}`]).catch(() => null);
  const isWiped = new Set((await onCard('gatehouse-taken.tmp'))?.split('\n'));
  const stored = await readStored(join(folder, 'gatehouse')).catch(() => null);
  const config = await readFile(join(folder, 'config/gatehouse.yaml'), 'utf8').catch(() => null);
  const inForce = {
    'gatehouse.yaml': config === settings['gatehouse.yaml'],
    'site.yaml': stored?.productIds.includes('FACE-T1') ?? false,
  };
  const faults: string[] = [];
  for (const name of ['gatehouse.yaml', 'site.yaml'] as const) {
    const found = isWiped.has(name) ? null : await onCard(name);
    if (found === null && !inForce[name]) faults.push(`${name} is neither on the card nor in force`);
    if (found !== null && found !== settings[name]) faults.push(`${name} on the card is damaged`);
  }
  return faults;
}

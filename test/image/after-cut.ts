import { stat } from 'node:fs/promises';
import { type Places, placesOn } from './places.ts';
import { run } from './run.ts';

export type Slot = 'A' | 'B';

/** The variables of GRUB's environment; null: GRUB cannot read it, and knows none of them. */
export async function grubEnvironment(image: string, { card }: Places): Promise<Map<string, string> | null> {
  const text = await run('mtype', ['-i', `${image}@@${card.at}`, '::/grub/grubenv']).catch(() => '');
  // As grub_envblk_open has it.
  if (!text.startsWith('# GRUB Environment Block\n')) return null;
  const lines = text.split('\n').filter(line => !line.startsWith('#') && line.includes('='));
  return new Map(lines.map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/** The slot that `generic-arm64/grub.cfg` starts with this environment. */
export function slotStarted(environment: ReadonlyMap<string, string> | null): Slot {
  const of = (name: string) => environment?.get(name) ?? '';
  const order = of('ORDER').split(' ').filter(Boolean) as Slot[];
  const startable = order.filter(slot => of(`${slot}_OK`) === '1');
  return startable.find(slot => of(`${slot}_TRY`) !== '3') ?? startable[0] ?? 'A';
}

/**
 * Why the card would not start after this cut; empty: GRUB starts a system that is one of `roots`,
 * the files that systems were made of, byte by byte.
 */
export async function bootFaults(image: string, roots: readonly string[]): Promise<string[]> {
  const places = await placesOn(image).catch((error: Error) => error);
  if (places instanceof Error) return [places.message];
  const environment = await grubEnvironment(image, places);
  const slot = slotStarted(environment);
  const isWhole = await Promise.all(roots.map(root => holds(image, places[slot].at, root)));
  return [
    ...(environment === null ? ['GRUB cannot read its environment'] : []),
    ...(isWhole.includes(true) ? [] : [`slot ${slot} is started and is not whole`]),
  ];
}

async function holds(image: string, at: number, root: string): Promise<boolean> {
  try {
    const { size } = await stat(root);
    await run('cmp', ['--quiet', '--bytes', String(size), '--ignore-initial', `${at}:0`, image, root]);
    return true;
  } catch {
    return false;
  }
}

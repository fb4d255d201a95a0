import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type GivenReason, inEnglish, type Params, whyOf } from '../words/sentences.ts';
import { updateReasons } from '../words/updates.ts';
import type { LastUpdate, UpdateOutcome } from './port.ts';
import { writeSafely } from './write-safely.ts';

/**
 * Records of updates on disk: the folder of programs, which belongs to root and is written by
 * systemd/lib, and the box's own note.
 */

const textOf = async (file: string): Promise<string> => (await readFile(file, 'utf8').catch(() => '')).trim();

async function jsonOf(file: string): Promise<Record<string, unknown> | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return null; // absent, or damaged by somebody else, which counts as absent
  }
}

function updateOf(fields: Record<string, unknown> | null, unitMs: number): LastUpdate | null {
  if (!fields) return null;
  const { kind, from, to, outcome, at } = fields;
  return {
    kind: kind === 'image' ? 'image' : 'program',
    from: String(from ?? ''),
    to: String(to ?? ''),
    outcome: String(outcome) as UpdateOutcome,
    ...whyOf(reasonOf(fields)),
    at: Number(at ?? 0) * unitMs,
  };
}

/** Of root's scripts there is the code alone; what RAUC reported has none. */
function reasonOf({ why = '', code, params = {} }: Record<string, unknown>): GivenReason {
  if (typeof code !== 'string' || code === '') return { reason: String(why) };
  const coded = { code, params: params as Params };
  return { reason: inEnglish({ reason: String(why || code), ...coded }, ...updateReasons), ...coded };
}

const refusedIn = (fields: Record<string, unknown> | null): GivenReason | null => fields && reasonOf(fields);

export interface Programs {
  readonly inForce: 'packaged' | 'updated';
  /** Where a rollback leads; null: nowhere. Empty: the packaged program. */
  readonly previous: string | null;
  /** An update of the program has not shown yet that it works. */
  readonly onTrial: boolean;
  /** The verdict on an update at the start of the box. */
  readonly judged: LastUpdate | null;
  /** Why the last program was not installed. */
  readonly refused: GivenReason | null;
}

export async function programsIn(folder: string): Promise<Programs> {
  const current = await readlink(join(folder, 'current')).catch(() => null);
  const trial = await textOf(join(folder, 'trial'));
  const before = /^from=(\w+)$/m.exec(trial)?.[1] ?? (await textOf(join(folder, 'previous')));
  return {
    inForce: current === null ? 'packaged' : 'updated',
    previous: before === '' ? null : before === 'packaged' ? '' : await textOf(join(folder, before, 'version')),
    onTrial: trial !== '',
    judged: updateOf(await jsonOf(join(folder, 'last-update.json')), 1000),
    refused: refusedIn(await jsonOf(join(folder, 'refused'))),
  };
}

const noteFile = (dataDir: string): string => join(dataDir, 'update.json');

/** Last update that the box itself asked for. */
export const readNote = async (dataDir: string): Promise<LastUpdate | null> =>
  updateOf(await jsonOf(noteFile(dataDir)), 1);

export const writeNote = (dataDir: string, note: LastUpdate): Promise<void> =>
  writeSafely(noteFile(dataDir), `${JSON.stringify(note)}\n`);

/**
 * How the last update went: what the box asked for is in its own note, the verdict after the
 * restart in that of systemd/lib/health.
 */
export function lastOf(note: LastUpdate | null, judged: LastUpdate | null): LastUpdate | null {
  if (!note) return judged;
  // The box does not know the version of the packaged program: what brought it back does.
  if (note.outcome === 'rolled-back' && note.to === '' && judged?.outcome === 'rolled-back')
    return judged.from === note.from ? { ...note, to: judged.to } : note;
  if (note.outcome !== 'installed') return note;
  if (judged && judged.kind === note.kind && judged.to === note.to) return { ...note, ...judged, from: note.from };
  return note;
}

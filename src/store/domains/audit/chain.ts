import { hash } from 'node:crypto';
import type { AuditChain } from '../../../platform/audit-heads.ts';
import { codedText } from '../../../words/sentences.ts';
import type { AuditNote } from './tables.ts';

/**
 * Characters of each field that are kept, so that what strangers choose (a path, a name) has a
 * bound.
 */
const auditCharactersMax = { actor: 80, role: 16, address: 64, action: 160, subject: 200 } as const;

/** Characters of the code and values of a subject; longer ones are left out. */
const saidCharactersMax = 2000;

/** Stands for the previous hash in the first entry of a chain. */
export const noHashBefore = '0'.repeat(64);

/** An entry as it is hashed and stored. */
interface ChainedEntry extends Omit<AuditNote, 'said'> {
  readonly id: number;
  readonly at: number;
  readonly lastAt: number | null;
  readonly count: number;
  readonly said: string | null;
}

export const chainOf = ({ outcome, read }: Pick<AuditNote, 'outcome' | 'read'>): AuditChain =>
  outcome === 'refused' ? 'refused' : read ? 'read' : 'done';

/**
 * Cuts the fields to their bounds. Control characters and lone surrogates become U+FFFD, so that
 * the text that is read back is the text that was hashed.
 */
export function bounded<Note extends AuditNote>(note: Note): Note {
  const cut = (field: keyof typeof auditCharactersMax) => boundedText(note[field], auditCharactersMax[field]);
  const [actor, role, address] = [cut('actor'), cut('role'), cut('address')];
  const said = (codedText(note.said)?.length ?? 0) > saidCharactersMax ? undefined : note.said;
  return { ...note, actor, role, address, action: cut('action'), subject: cut('subject'), said };
}

function boundedText(text: string, charactersMax: number): string {
  const cut = text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text;
  return cut.replace(/[\u0000-\u001f\u007f]/g, '\ufffd').toWellFormed();
}

/**
 * SHA-256 (hexadecimal) over a JSON list: anybody can compute it again from an export
 * (docs/operating.md).
 */
export function entryHash(before: string, chain: AuditChain, entry: ChainedEntry): string {
  const { id, at, lastAt, count, actor, role, address, action, subject, said, outcome } = entry;
  const fields = [before, chain, id, at, lastAt, count, actor, role, address, action, subject, said, outcome];
  return hash('sha256', JSON.stringify(fields), 'hex');
}

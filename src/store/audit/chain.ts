import { hash } from 'node:crypto';
import type { AuditChain, AuditNote } from '../port/staff.ts';

/**
 * The audit log is three chains: what was done, what was read, what was refused. Each is removed
 * from its old end alone, so that a full disk may take the refusals without a gap in what was done.
 * Numbers are given out over all three, so that their order among each other is in the hashes too.
 */
export const auditChains: readonly AuditChain[] = ['done', 'read', 'refused'];

/**
 * Characters of each field that are kept. What strangers choose (a path, a name) takes no more room
 * than this, whatever they send.
 */
const auditCharactersMax = { actor: 80, role: 16, address: 64, action: 160, subject: 200 } as const;

/** What the first entry of a chain has in place of a hash before it. */
export const noHashBefore = '0'.repeat(64);

/** An entry as it is hashed and stored. */
interface ChainedEntry extends AuditNote {
  readonly id: number;
  readonly at: number;
  readonly lastAt: number | null;
  readonly count: number;
}

export const chainOf = ({ outcome, read }: Pick<AuditNote, 'outcome' | 'read'>): AuditChain =>
  outcome === 'refused' ? 'refused' : read ? 'read' : 'done';

/**
 * Cut to its bounds; what no database or terminal shows (controls, halves of characters) becomes
 * U+FFFD, so that the text that is read back is the text that was hashed.
 */
export function bounded<Note extends AuditNote>(note: Note): Note {
  const cut = (field: keyof typeof auditCharactersMax) => boundedText(note[field], auditCharactersMax[field]);
  const [actor, role, address] = [cut('actor'), cut('role'), cut('address')];
  return { ...note, actor, role, address, action: cut('action'), subject: cut('subject') };
}

function boundedText(text: string, charactersMax: number): string {
  const cut = text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text;
  return cut.replace(/[\u0000-\u001f\u007f]/g, '\ufffd').toWellFormed();
}

/**
 * SHA-256 (hexadecimal) over a JSON list: anybody can count it again from an export, with nothing
 * but the export (docs/operating.md).
 */
export function entryHash(before: string, chain: AuditChain, entry: ChainedEntry): string {
  const { id, at, lastAt, count, actor, role, address, action, subject, outcome } = entry;
  const fields = [before, chain, id, at, lastAt, count, actor, role, address, action, subject, outcome];
  return hash('sha256', JSON.stringify(fields), 'hex');
}

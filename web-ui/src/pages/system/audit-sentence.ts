import { auditActions } from './audit-actions.ts';

interface Said {
  readonly what: string;
  /** Person or thing affected; empty if the entry's subject names it, or nothing does. */
  readonly about: string;
}

/** A path of an operation as the log writes it: with ids, or with `:id` where it was refused. */
const patternOf = (action: string): RegExp =>
  new RegExp(`^${action.replaceAll(/\{\w+\}/g, '([^/]+)').replaceAll('/', '\\/')}$`);
const patterns = new Map<string, RegExp>();

/** Sentence of an entry in the language of the page; null if none is known. */
export function auditSentence(action: string): Said | null {
  for (const [known, what] of Object.entries(auditActions.value)) {
    let pattern = patterns.get(known);
    if (!pattern) {
      pattern = patternOf(known);
      patterns.set(known, pattern);
    }
    const found = pattern.exec(action);
    if (found) return { what, about: found.slice(1).map(plain).filter(Boolean).join(' ') };
  }
  return null;
}

/** `:id` stands for one that was not written down. */
function plain(part: string): string {
  if (part.startsWith(':')) return '';
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

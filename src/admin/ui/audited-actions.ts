import { ownActions } from '../../words/audit-own.ts';
import { inBoth } from '../../words/described.ts';
import type { AnyOperation } from '../operation.ts';
import { plain } from './audit-names.ts';

interface AuditedAction {
  /** Its name; null: the log shows the call. */
  readonly did: { readonly en: string; readonly zh: string } | null;
  /** Ids in its path, with spaces between. */
  readonly about: string;
}

/**
 * Names actions as the log writes them: a call with its ids, or with `:id` where it was refused.
 */
export function auditedActions(operations: readonly AnyOperation[]): (action: string) => AuditedAction {
  const known = operations.flatMap(({ method, path, audited }) =>
    audited ? [{ parts: `${method.toUpperCase()} ${path}`.split('/'), did: inBoth(audited) }] : [],
  );
  return action => {
    if (Object.hasOwn(ownActions, action)) return { did: inBoth(ownActions[action]!), about: '' };
    const said = action.split('/');
    const found = known.find(
      ({ parts }) =>
        parts.length === said.length && parts.every((part, index) => part.startsWith('{') || part === said[index]),
    );
    if (!found) return { did: null, about: '' };
    const ids = said.filter((part, index) => found.parts[index]!.startsWith('{') && !part.startsWith(':'));
    return { did: found.did, about: ids.map(plain).join(' ') };
  };
}

import type { ActionName, ActionTable } from '../../platform/actions.ts';
import { parseEnvelope } from '../../platform/envelope.ts';
import { unpack } from './segment.ts';

/**
 * Actions whose rows other terminals need, or which decide whether a person is sent to one again
 * (attendance/person-sync.ts): their rows are not delayed until somebody reads them.
 */
const awaited: readonly ActionName[] = ['feature_report', 'person_sync_result'];

/** Whether packed records have a message that a part of the box waits for. */
export function awaitedIn(actions: ActionTable): (packed: Buffer) => boolean {
  const codes = awaited.map(name => actions.codeOf(name)).filter(code => code !== null);
  const digits = codes.map(code => Buffer.from(String(code)));
  return packed => {
    // Most segments have these digits nowhere, and need not be read.
    if (!digits.some(one => packed.includes(one))) return false;
    let found = false;
    unpack(
      packed,
      0,
      ({ payload }) => {
        const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
        if (!digits.some(one => bytes.includes(one))) return;
        const read = parseEnvelope(payload);
        if (read.ok && codes.includes(read.value.action as number)) found = true;
      },
      (_, __, channel) => channel === 'device' && !found,
    );
    return found;
  };
}

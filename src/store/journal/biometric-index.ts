import { holdersOf } from '../../platform/biometrics.ts';
import { parseEnvelope } from '../../platform/envelope.ts';
import type { JournalRecord } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';

/**
 * Which records of the journal hold whose features and pictures (table `biometric_record`). The
 * projection adds entries as it goes, in its transaction.
 */
export class BiometricIndex {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  add(seq: number, data: Readonly<Record<string, unknown>>): void {
    for (const extId of holdersOf(data))
      this.#connection.later(
        'INSERT INTO biometric_record (ext_id, seq) VALUES (?, ?) ON CONFLICT (ext_id, seq) DO NOTHING',
        ...[extId, seq],
      );
  }

  /** Adds a record whose envelope was not parsed yet. */
  addRecord({ seq, channel, payload }: JournalRecord): void {
    if (channel !== 'device') return;
    const read = parseEnvelope(payload);
    if (read.ok) this.add(seq, read.value.data);
  }
}

import type { QueuedWrite } from '../../port/organization.ts';
import { places } from '../../readers/rows.ts';
import type { Connection } from '../../schema/database.ts';

/**
 * Writes that the cloud, as the authority of the organization, has not had yet: in order, and
 * sealed, since they contain features.
 */
export class WriteQueue {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  add(write: QueuedWrite | null): void {
    if (!write) return;
    const { at, caller, path, command, subject, body } = write;
    this.#connection
      .sql('INSERT INTO organization_write (at, caller, path, command, subject, sealed_body) VALUES (?, ?, ?, ?, ?, ?)')
      .run(at, caller, path, command, subject, this.#connection.seal.sealText(body, places.organizationWrite));
  }

  waitsFor(subject: string): boolean {
    return (
      this.#connection
        .sql('SELECT 1 FROM organization_write WHERE subject = ? AND refused_at IS NULL LIMIT 1')
        .get(subject) !== undefined
    );
  }
}

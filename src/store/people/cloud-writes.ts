import type { QueuedWrite } from '../port/organization.ts';
import type { Connection } from '../schema/database.ts';
import { places } from '../schema/devices.ts';
import type { Seal, SealedBytes } from '../schema/sealing.ts';

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

type Side = Record<string, unknown> | null;

/** Identifies a conflict, so that it is noted once, without revealing its content. */
const conflictFingerprint = (seal: Seal, subject: string, cloudSide: string, boxSide: string): string =>
  seal.fingerprint('organization conflict', `${subject}\0${cloudSide}\0${boxSide}`);

/** Both sides as JSON without mobile numbers; and sealed in full if there is such a number. */
function splitSides(
  seal: Seal,
  cloud: Side,
  box: Side,
): { readonly open: readonly [string, string]; readonly sealed: SealedBytes | null } {
  const without = (side: Side) => JSON.stringify(side, (key, value) => (key === 'mobile' ? undefined : value));
  const open = [without(cloud), without(box)] as const;
  const whole = [JSON.stringify(cloud), JSON.stringify(box)] as const;
  const same = open[0] === whole[0] && open[1] === whole[1];
  return { open, sealed: same ? null : seal.sealText(`[${whole.join(',')}]`, places.conflict) };
}

export function joinSides(
  seal: Seal,
  row: { cloudSide: string; boxSide: string; sealedSides: Uint8Array | null },
): readonly [Side, Record<string, unknown>] {
  if (row.sealedSides === null) return [JSON.parse(row.cloudSide), JSON.parse(row.boxSide)];
  return JSON.parse(seal.openText(row.sealedSides, places.conflict));
}

/** Both sides changed the same thing. False: this conflict stands in the list already. */
export function noteConflict(
  { sql, seal }: Connection,
  { at, subject, cloudSide, boxSide }: { at: number; subject: string; cloudSide: object | null; boxSide: object },
): boolean {
  const fingerprint = conflictFingerprint(seal, subject, JSON.stringify(cloudSide), JSON.stringify(boxSide));
  if (sql('SELECT 1 FROM organization_conflict WHERE fingerprint = ?').get(fingerprint)) return false;
  const { open, sealed } = splitSides(seal, cloudSide as Side, boxSide as Side);
  sql(
    `INSERT INTO organization_conflict (at, subject, cloud_side, box_side, sealed_sides, fingerprint)
       VALUES (?, ?, ?, ?, ?, ?)`,
  ).run(at, subject, ...open, sealed, fingerprint);
  return true;
}

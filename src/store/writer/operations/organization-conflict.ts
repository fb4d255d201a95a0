import type { OperationContext } from '../../domain.ts';
import { conflictFingerprint, splitSides } from '../organization/conflict-sides.ts';

type Side = Parameters<typeof splitSides>[1];

/** Both sides changed the same thing. False: this conflict stands in the list already. */
export function noteConflict(
  { sql, seal }: OperationContext,
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

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { places } from '../../readers/rows.ts';
import type { Connection } from '../../schema/database.ts';
import type { Seal } from '../../schema/sealing.ts';
import { conflictFingerprint, splitSides } from './conflict-sides.ts';

interface MobileColumns {
  readonly id: number;
  readonly mobile: string;
  readonly sealedMobile: Uint8Array | null;
}

/** A clear number was written by an older program after a rollback, so it is the newer one. */
export const mobileOf = (seal: Seal, { id, mobile, sealedMobile }: MobileColumns): string =>
  mobile !== '' || sealedMobile === null ? mobile : seal.openText(sealedMobile, places.mobile(id));

/**
 * How the cloud's last state of an employee is stored: as a fingerprint, since it is only compared
 * and contains a mobile number.
 */
export const mirroredMark = (seal: Seal, said: string): string => seal.fingerprint('mirrored employee', said);

/** Stores the number, and only sealed. */
export function putMobile({ sql, seal }: Connection, id: number, mobile: string): void {
  const sealed = mobile === '' ? null : seal.sealText(mobile, places.mobile(id));
  sql("UPDATE employee SET mobile = '', sealed_mobile = ? WHERE id = ?").run(sealed, id);
}

const stepRows = 500;

/**
 * Seals the mobile numbers that an older program wrote in clear, in steps of 500 rows, each a
 * transaction of its own. The clear text is overwritten in the file, and the copy made before the
 * migration is removed; it is not needed, because older programs can open this store.
 */
export function sealClearMobiles(connection: Connection, dataDir: string): void {
  let some = false;
  for (const step of [clearMobiles, clearMirrored, clearConflicts])
    while (inOneTransaction(connection, () => step(connection))) some = true;
  if (!some) return;
  connection.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  for (const name of readdirSync(dataDir))
    if (/^gatehouse\.db\.before-\d+$/.test(name)) rmSync(join(dataDir, name), { force: true });
}

function inOneTransaction(connection: Connection, step: () => boolean): boolean {
  const { database } = connection;
  return connection.overwriting(() => {
    database.exec('BEGIN IMMEDIATE');
    try {
      const some = step();
      database.exec('COMMIT');
      return some;
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  });
}

function clearMobiles(connection: Connection): boolean {
  const rows = connection.sql("SELECT id, mobile FROM employee WHERE mobile <> '' LIMIT ?").all(stepRows) as {
    id: number;
    mobile: string;
  }[];
  for (const { id, mobile } of rows) putMobile(connection, id, mobile);
  return rows.length > 0;
}

function clearMirrored({ sql, seal }: Connection): boolean {
  const rows = sql("SELECT id, mirrored FROM employee WHERE mirrored LIKE '{%' LIMIT ?").all(stepRows) as {
    id: number;
    mirrored: string;
  }[];
  for (const { id, mirrored } of rows)
    sql('UPDATE employee SET mirrored = ? WHERE id = ?').run(mirroredMark(seal, mirrored), id);
  return rows.length > 0;
}

function clearConflicts({ sql, seal }: Connection): boolean {
  const rows = sql(
    'SELECT id, subject, cloud_side, box_side FROM organization_conflict WHERE fingerprint IS NULL LIMIT ?',
  ).all(stepRows) as { id: number; subject: string; cloud_side: string; box_side: string }[];
  for (const { id, subject, cloud_side, box_side } of rows) {
    const { open, sealed } = splitSides(seal, JSON.parse(cloud_side), JSON.parse(box_side));
    sql(
      'UPDATE organization_conflict SET cloud_side = ?, box_side = ?, sealed_sides = ?, fingerprint = ? WHERE id = ?',
    ).run(...open, sealed, conflictFingerprint(seal, subject, cloud_side, box_side), id);
  }
  return rows.length > 0;
}

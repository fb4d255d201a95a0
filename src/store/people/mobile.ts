import type { Connection } from '../schema/database.ts';
import { places } from '../schema/devices.ts';
import type { Seal } from '../schema/sealing.ts';

interface MobileColumns {
  readonly id: number;
  readonly sealedMobile: Uint8Array | null;
}

export const mobileOf = (seal: Seal, { id, sealedMobile }: MobileColumns): string =>
  sealedMobile === null ? '' : seal.openText(sealedMobile, places.mobile(id));

/**
 * How the cloud's last state of an employee is stored: as a fingerprint, since it is only compared
 * and contains a mobile number.
 */
export const mirroredMark = (seal: Seal, said: string): string => seal.fingerprint('mirrored employee', said);

/** Stores the number, and only sealed. */
export function putMobile({ later, seal }: Connection, id: number, mobile: string): void {
  const sealed = mobile === '' ? null : seal.sealText(mobile, places.mobile(id));
  later('UPDATE employee SET sealed_mobile = ? WHERE id = ?', sealed, id);
}

const digitsMin = 5;
const foundMax = 500;

/**
 * The ids of people, at most 500, whose mobile number has these digits. Numbers are sealed one by
 * one, so each of them is opened: 1.5 s for 50,000 people on a busy machine, in the reader thread.
 */
export function withMobile({ sql, seal }: Connection, text: string): number[] {
  const digits = text.replace(/[\s+-]/g, '');
  if (!/^\d+$/.test(digits) || digits.length < digitsMin) return [];
  const rows = sql(
    'SELECT id, sealed_mobile AS sealedMobile FROM employee WHERE sealed_mobile IS NOT NULL',
  ).iterate() as Iterable<{ id: number; sealedMobile: Uint8Array }>;
  const found: number[] = [];
  for (const row of rows) {
    if (!mobileOf(seal, row).includes(digits)) continue;
    found.push(row.id);
    if (found.length === foundMax) break;
  }
  return found;
}

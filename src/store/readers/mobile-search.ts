import type { Connection } from '../schema/database.ts';
import { mobileOf } from '../writer/organization/mobile.ts';

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

import { places } from '../../readers/rows.ts';
import type { Connection } from '../../schema/database.ts';
import type { Seal } from '../../schema/sealing.ts';

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
export function putMobile({ sql, seal }: Connection, id: number, mobile: string): void {
  const sealed = mobile === '' ? null : seal.sealText(mobile, places.mobile(id));
  sql('UPDATE employee SET sealed_mobile = ? WHERE id = ?').run(sealed, id);
}

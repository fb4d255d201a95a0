import { createHmac, randomBytes } from 'node:crypto';
import { sameSecret } from './tokens.ts';

/**
 * Forms that only pages of this box can have made. Each carries a mark over what its browser holds
 * in a cookie, which no other site can read; and what the browser itself says of where the form
 * came from has to agree.
 */
export class FormMarks {
  readonly #key = randomBytes(32);

  mark(purpose: string, holder: string): string {
    return createHmac('sha256', this.#key).update(`${purpose}\0${holder}`).digest('base64url');
  }

  isOurs(
    { purpose, holder, mark }: { purpose: string; holder: string; mark: string },
    headers: { origin: string | undefined; site: string | undefined; self: string },
  ): boolean {
    if (headers.site !== undefined && headers.site !== 'same-origin' && headers.site !== 'none') return false;
    if (headers.origin !== undefined && headers.origin !== headers.self) return false;
    return holder !== '' && sameSecret(mark, this.mark(purpose, holder));
  }
}

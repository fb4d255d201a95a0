import { createHmac, randomBytes } from 'node:crypto';
import { sameSecret } from './tokens.ts';

/**
 * Protects forms against cross-site requests. Each form carries a MAC over the browser's cookie,
 * which no other site can read, and the browser's Origin headers have to agree.
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

import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/** Whom the box believes to be the cloud. */
export interface Trust {
  readonly context: SecureContext;
  /** Trusts these additional roots from the next connection on, in place of those before. */
  use(ca: string | undefined): void;
}

/**
 * The public roots, and those of `ca` (PEM). Read once, at the first use: reading all roots of the
 * world takes a while and 2 MB, which a box that stands alone never needs.
 */
export function trustOf(given: string | undefined): Trust {
  let ca = given;
  let context: SecureContext | undefined;
  return {
    use(next) {
      ca = next;
      context = undefined;
    },
    get context() {
      context ??= createSecureContext(ca ? { ca: [...rootCertificates, ca] } : {});
      return context;
    },
  };
}

import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/** Whom the box believes to be the cloud. */
export interface Trust {
  readonly context: SecureContext;
}

/**
 * The public roots, and those of `ca` (PEM). Read once, at the first use: reading all roots of the
 * world takes a while and 2 MB, which a box that stands alone never needs.
 */
export function trustOf(ca: string | undefined): Trust {
  let context: SecureContext | undefined;
  return {
    get context() {
      context ??= createSecureContext(ca ? { ca: [...rootCertificates, ca] } : {});
      return context;
    },
  };
}

import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';

/** Whom the box believes to be the cloud: the public roots, and those of `upstream.ca` (PEM). Read once, since that takes a while. */
export const trustOf = (ca: string | undefined): SecureContext =>
  createSecureContext(ca ? { ca: [...rootCertificates, ca] } : {});

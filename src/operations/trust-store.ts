import { getCACertificates } from 'node:tls';

type TrustEdition = 'full' | 'slim';

/**
 * Trust store that a device embeds to accept this box (SPEC 5.3): the box's authority, alone or
 * followed by the public roots.
 */
export function trustStore(edition: TrustEdition, caPem: string): string {
  const own = caPem.trimEnd();
  if (edition === 'slim') return `${own}\n`;
  return `${[own, ...getCACertificates('bundled').map(pem => pem.trimEnd())].join('\n')}\n`;
}

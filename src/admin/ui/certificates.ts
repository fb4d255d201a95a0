import { createHash, X509Certificate } from 'node:crypto';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AdminEnvironment } from '../guard.ts';
import type { UiParts } from './parts.ts';
import type { CertificateReport, CertificatesReport } from './system-reports.ts';

const file = (description: string, type: string) => ({
  200: { description, content: { [type]: { schema: z.string() } } },
});

const reportRoute = createRoute({
  method: 'get',
  path: '/certificates',
  summary: 'The authority of the box and the certificate that it shows: fingerprints, names, ends',
  responses: { 200: { description: 'The report', content: { 'application/json': { schema: z.any() } } } },
});
const pemRoute = createRoute({
  method: 'get',
  path: '/certificates/ca.pem',
  summary: 'The authority of the box, as text',
  responses: file('PEM', 'application/x-pem-file'),
});
const derRoute = createRoute({
  method: 'get',
  path: '/certificates/ca.crt',
  summary: 'The authority of the box, as Windows and Android take it',
  responses: file('DER', 'application/x-x509-ca-cert'),
});
const appleRoute = createRoute({
  method: 'get',
  path: '/certificates/gatehouse.mobileconfig',
  summary: 'A profile that makes Apple devices trust the box',
  responses: file('The profile', 'application/x-apple-aspen-config'),
});

export function certificateRoutes(app: OpenAPIHono<AdminEnvironment>, { certificates, config }: UiParts): void {
  const ca = new X509Certificate(certificates.caPem);
  const send = (bytes: Uint8Array<ArrayBuffer>, type: string, name: string): never =>
    new Response(bytes, {
      headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
    }) as never;
  const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));
  app.openapi(reportRoute, context =>
    context.json(
      {
        own_authority: config.tls?.cert === undefined,
        ca: reportOf(ca),
        served: reportOf(new X509Certificate(certificates.current().cert)),
      } satisfies CertificatesReport,
      200,
    ),
  );
  app.openapi(pemRoute, () => send(bytesOf(certificates.caPem), 'application/x-pem-file', 'gatehouse-ca.pem'));
  app.openapi(derRoute, () => send(new Uint8Array(ca.raw), 'application/x-x509-ca-cert', 'gatehouse-ca.crt'));
  app.openapi(appleRoute, () =>
    send(bytesOf(appleProfile(ca, config.site.name)), 'application/x-apple-aspen-config', 'gatehouse.mobileconfig'),
  );
}

const reportOf = (certificate: X509Certificate): CertificateReport => ({
  subject: nameOf(certificate.subject),
  issuer: nameOf(certificate.issuer),
  sha256: certificate.fingerprint256,
  until: Date.parse(certificate.validTo),
  names: (certificate.subjectAltName ?? '')
    .split(', ')
    .filter(Boolean)
    .map(name => name.replace(/^(DNS|IP Address):/, '')),
});

const nameOf = (subject: string): string =>
  /^(?:CN|O)=(.*)$/m.exec(subject.split('\n').reverse().join('\n'))?.[1] ?? subject;

/**
 * The same certificate always has the same ids, so that a profile that is installed again replaces
 * itself.
 */
export function appleProfile(ca: X509Certificate, siteName: string): string {
  const text = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const id = (what: string) => {
    const hex = createHash('sha256').update(`${what} ${ca.fingerprint256}`).digest('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`.toUpperCase();
  };
  const name = text(siteName === '' ? 'Gatehouse' : `Gatehouse ${siteName}`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>PayloadContent</key>
  <array>
    <dict>
      <key>PayloadCertificateFileName</key><string>gatehouse-ca.crt</string>
      <key>PayloadContent</key><data>${ca.raw.toString('base64')}</data>
      <key>PayloadDisplayName</key><string>${name}</string>
      <key>PayloadIdentifier</key><string>gatehouse.ca.${id('certificate')}</string>
      <key>PayloadType</key><string>com.apple.security.root</string>
      <key>PayloadUUID</key><string>${id('certificate')}</string>
      <key>PayloadVersion</key><integer>1</integer>
    </dict>
  </array>
  <key>PayloadDisplayName</key><string>${name}</string>
  <key>PayloadIdentifier</key><string>gatehouse.${id('profile')}</string>
  <key>PayloadType</key><string>Configuration</string>
  <key>PayloadUUID</key><string>${id('profile')}</string>
  <key>PayloadVersion</key><integer>1</integer>
</dict>
</plist>
`;
}

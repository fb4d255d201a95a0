import { createHash, X509Certificate } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import type { Config } from '../../config/index.ts';
import { described } from '../../words/described.ts';
import { fileOperation, operation, type Report, type Running } from '../operation.ts';

const certificate = z.object({
  subject: z.string(),
  issuer: z.string(),
  sha256: z
    .string()
    .describe(
      described('Such as AB:12:…, to be compared with what a device shows', '例如 AB:12:…，与设备上显示的对比'),
    ),
  until: z.number(),
  names: z.array(z.string()),
});
const certificatesReport = z.object({
  own_authority: z
    .boolean()
    .describe(described('Made by the box itself; false: the site gave it one', '由网关自己生成；false：由站点提供')),
  ca: certificate,
  served: certificate.describe(described('What is shown to devices and browsers', '向设备和浏览器出示的证书')),
});

export const certificateOperations = {
  report: operation({
    method: 'get',
    path: '/certificates',
    role: 'viewer',
    summary: described(
      'The authority of the box and the certificate that it shows: fingerprints, names, ends',
      '网关的根证书和出示的证书：指纹、名称、有效期',
    ),
    returns: described('The report', '报告'),
    answer: certificatesReport,
  }),
  pem: fileOperation({
    method: 'get',
    path: '/certificates/ca.pem',
    role: 'viewer',
    summary: described('The authority of the box, as text', '网关的根证书，文本格式'),
    returns: described('PEM', 'PEM 格式'),
    files: { 'application/x-pem-file': z.string() },
  }),
  der: fileOperation({
    method: 'get',
    path: '/certificates/ca.crt',
    role: 'viewer',
    summary: described('The authority of the box, as Windows and Android take it', '网关的根证书，用于 Windows 和安卓'),
    returns: described('DER', 'DER 格式'),
    files: { 'application/x-x509-ca-cert': z.string() },
  }),
  apple: fileOperation({
    method: 'get',
    path: '/certificates/gatehouse.mobileconfig',
    role: 'viewer',
    summary: described('A profile that makes Apple devices trust the box', '使苹果设备信任本网关的描述文件'),
    returns: described('The profile', '描述文件'),
    files: { 'application/x-apple-aspen-config': z.string() },
  }),
};

export function certificatesOf({
  certificates,
  config,
}: {
  /** PEM: what devices must trust, and what they are shown. */
  readonly certificates: { readonly caPem: string; current(): { readonly cert: string } };
  readonly config: Pick<Config, 'site' | 'tls'>;
}): Running<typeof certificateOperations> {
  const ca = new X509Certificate(certificates.caPem);
  const file = (type: string, name: string, body: Uint8Array) => ({
    type,
    body,
    headers: { 'content-disposition': `attachment; filename="${name}"` },
  });
  return {
    report: async () => ({
      own_authority: config.tls?.cert === undefined,
      ca: reportOf(ca),
      served: reportOf(new X509Certificate(certificates.current().cert)),
    }),
    pem: async () => file('application/x-pem-file', 'gatehouse-ca.pem', Buffer.from(certificates.caPem)),
    der: async () => file('application/x-x509-ca-cert', 'gatehouse-ca.crt', ca.raw),
    apple: async () =>
      file(
        'application/x-apple-aspen-config',
        'gatehouse.mobileconfig',
        Buffer.from(appleProfile(ca, config.site.name)),
      ),
  };
}

const reportOf = (shown: X509Certificate): Report<typeof certificate> => ({
  subject: nameOf(shown.subject),
  issuer: nameOf(shown.issuer),
  sha256: shown.fingerprint256,
  until: Date.parse(shown.validTo),
  names: (shown.subjectAltName ?? '')
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

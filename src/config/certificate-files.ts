import { certificateTrouble, ownCertificate, rootsTrouble } from './certificate.ts';
import { readValue } from './files.ts';
import type { Config } from './schema.ts';

/** The keys whose files are read again while the box runs. */
export const watchedKeys = ['tls.cert', 'tls.key', 'upstream.ca'] as const;

/** The values of a config that are certificates and their keys. */
export interface CertificateValues {
  readonly tls: Config['tls'];
  readonly ca: string | undefined;
}

/** What the files of `watchedKeys` hold now; values that are no file stay as they were. */
export function readCertificates(
  { tls, upstream }: Config,
  fileOf: ReadonlyMap<string, string>,
): { readonly values: CertificateValues } | { readonly trouble: string } {
  const troubles: string[] = [];
  const now = (key: string): string | undefined => {
    const file = fileOf.get(key);
    const read = file === undefined ? undefined : readValue(file);
    if (read && !read.ok) troubles.push(`${key}: ${read.reason}`);
    return read?.ok ? read.value : undefined;
  };
  const [cert, key, ca] = watchedKeys.map(now);
  const values: CertificateValues = {
    tls: tls && { ...tls, ...(cert === undefined ? {} : { cert }), ...(key === undefined ? {} : { key }) },
    ca: ca ?? upstream?.ca,
  };
  if (troubles.length > 0) return { trouble: troubles.join('; ') };
  const trouble = whyUnfit(values, fileOf);
  return trouble === null ? { values } : { trouble };
}

function whyUnfit({ tls, ca }: CertificateValues, fileOf: ReadonlyMap<string, string>): string | null {
  const said = (key: string, reason: string) => `${key}: ${fileOf.get(key) ?? ''} ${reason}`;
  const { own } = ownCertificate(tls ? { tls } : {});
  const trouble = own ? certificateTrouble(own.cert, own.key) : null;
  if (trouble) return said(`tls.${trouble.of}`, trouble.reason);
  const roots = ca !== undefined && fileOf.has('upstream.ca') ? rootsTrouble(ca) : null;
  return roots === null ? null : said('upstream.ca', roots);
}

import type { FileOfKey } from '../words/config-files.ts';
import { type Reason, whyOf, withWhy } from '../words/sentences.ts';
import { certificateTrouble, legacyTrouble, ownCertificate, rootsTrouble } from './certificate.ts';
import { readValue } from './files.ts';
import type { Config } from './schema.ts';

/** The keys whose files are read again while the box runs. */
export const watchedKeys = ['tls.cert', 'tls.key', 'tls.legacy_cert', 'tls.legacy_key', 'upstream.ca'] as const;

/** The values of a config that are certificates and their keys. */
export interface CertificateValues {
  readonly tls: Config['tls'];
  readonly ca: string | undefined;
}

/** The contents of the files of `watchedKeys`; values that are no file stay as they were. */
export function readCertificates(
  { tls, upstream }: Config,
  fileOf: ReadonlyMap<string, string>,
): { readonly values: CertificateValues } | { readonly trouble: FileOfKey } {
  const now: Partial<Record<(typeof watchedKeys)[number], string>> = {};
  for (const key of watchedKeys) {
    const file = fileOf.get(key);
    const read = file === undefined ? undefined : readValue(file);
    if (read?.ok) now[key] = read.value;
    else if (read) return { trouble: troubleOf(key, read) };
  }
  const values: CertificateValues = {
    tls: tls && {
      ...tls,
      cert: now['tls.cert'] ?? tls.cert,
      key: now['tls.key'] ?? tls.key,
      legacy_cert: now['tls.legacy_cert'] ?? tls.legacy_cert,
      legacy_key: now['tls.legacy_key'] ?? tls.legacy_key,
    },
    ca: now['upstream.ca'] ?? upstream?.ca,
  };
  const trouble = whyUnfit(values, fileOf);
  return trouble === null ? { values } : { trouble };
}

const troubleOf = (key: string, why: Reason): FileOfKey => ({ key, ...withWhy(whyOf(why)) });

function whyUnfit({ tls, ca }: CertificateValues, fileOf: ReadonlyMap<string, string>): FileOfKey | null {
  const { own } = ownCertificate(tls ? { tls } : {});
  const trouble = own ? certificateTrouble(own.cert, own.key, fileOf) : null;
  if (trouble) return troubleOf(`tls.${trouble.of}`, trouble.why);
  const legacy = legacyTrouble(tls ?? {}, fileOf);
  if (legacy) return troubleOf(`tls.legacy_${legacy.of}`, legacy.why);
  const rootsFile = fileOf.get('upstream.ca');
  const roots = ca !== undefined && rootsFile !== undefined ? rootsTrouble(ca, rootsFile) : null;
  return roots && troubleOf('upstream.ca', roots);
}

import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, clockEarliest, type UnixMs } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { FileOfKey } from '../words/config-files.ts';
import type { Issued } from './issuing.ts';

/** Certificate of a TLS listener: PEM texts, the leaf with its issuer behind it. */
interface ServedCertificate {
  readonly cert: string;
  readonly key: string;
}

/** A second certificate, for clients that ask for this host by SNI (SPEC 5.3). */
type LegacyHost = ServedCertificate & { readonly host: string };

interface CertificatesOptions {
  /** Holds ca.pem, ca.key, leaf.pem and leaf.key; only the box can read the keys. */
  readonly dir: string;
  readonly names: readonly string[];
  readonly addresses: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
  /** A certificate of the site's own (CONTRACT 2 `tls`): served as it is, never renewed here. */
  readonly own?: ServedCertificate;
  readonly legacyHost?: LegacyHost | null;
}

export interface Certificates extends AsyncDisposable {
  /** Root that a device must trust to accept this box. */
  readonly caPem: string;
  current(): ServedCertificate;
  legacyHost(): LegacyHost | null;
  /** Serves these from the next connection on. `own` has no effect on a box that makes its own. */
  use(replaced: { readonly own?: ServedCertificate; readonly legacyHost: LegacyHost | null }): void;
  /** Why a certificate that was replaced on disk is not in use; null: all are. */
  notTaken: FileOfKey | null;
  onRenewed(listener: () => void): void;
}

const day = 24 * 3600 * 1000;
const renewDaysBefore = 30;
/** Often, because the clock of the box may have been set. */
const lookEveryMs = 60_000;
/** The library that makes certificates is large and needed once a year: it is loaded on demand. */
const issuing = () => import('./issuing.ts');

/**
 * The box's own authority and certificate, made on the first start, renewed 30 days before the end
 * or when a name or address is new.
 */
export async function openCertificates(options: CertificatesOptions): Promise<Certificates> {
  if (options.own) return served(options.own, options.legacyHost ?? null);
  mkdirSync(options.dir, { recursive: true, mode: 0o700 });
  const authority = await openAuthority(options);
  let leaf = readLeaf(options, authority.cert) ?? (await issue(options, authority));
  let endsAt = endOf(leaf.cert);
  let legacyHost = options.legacyHost ?? null;
  const listeners: (() => void)[] = [];
  const ending = new AbortController();
  const watching = (async () => {
    while (!ending.signal.aborted) {
      await options.clock.sleep(lookEveryMs, ending.signal).catch(() => {});
      if (ending.signal.aborted || !isDue(endsAt, options.clock.now())) continue;
      leaf = await issue(options, authority);
      endsAt = endOf(leaf.cert);
      for (const listener of listeners) listener();
    }
  })();
  return {
    caPem: authority.cert,
    current: () => leaf,
    legacyHost: () => legacyHost,
    use(replaced) {
      legacyHost = replaced.legacyHost;
      for (const listener of listeners) listener();
    },
    notTaken: null,
    onRenewed: listener => void listeners.push(listener),
    async [Symbol.asyncDispose]() {
      ending.abort();
      await watching;
    },
  };
}

function served(given: ServedCertificate, legacy: LegacyHost | null): Certificates {
  let own = given;
  let legacyHost = legacy;
  const listeners: (() => void)[] = [];
  return {
    get caPem() {
      const chain = own.cert.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? [own.cert];
      return chain.at(-1)!;
    },
    current: () => own,
    legacyHost: () => legacyHost,
    notTaken: null,
    use(replaced) {
      own = replaced.own ?? own;
      legacyHost = replaced.legacyHost;
      for (const listener of listeners) listener();
    },
    onRenewed: listener => void listeners.push(listener),
    [Symbol.asyncDispose]: async () => {},
  };
}

async function openAuthority({ dir, clock, log }: CertificatesOptions): Promise<Issued> {
  const file = join(dir, 'ca.pem');
  const keyFile = join(dir, 'ca.key');
  if (existsSync(file) && existsSync(keyFile))
    return { cert: readFileSync(file, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  const made = await (await issuing()).makeAuthority(issuedAt(clock));
  writeSecret(keyFile, made.key);
  writeFile(file, made.cert);
  log.info({ file }, 'certificate_authority_made');
  return made;
}

/** Null when there is none, or it is due, or lacks a name, or another authority issued it. */
function readLeaf({ dir, names, addresses, clock }: CertificatesOptions, caPem: string): ServedCertificate | null {
  const file = join(dir, 'leaf.pem');
  const keyFile = join(dir, 'leaf.key');
  if (!existsSync(file) || !existsSync(keyFile)) return null;
  const cert = readFileSync(file, 'utf8');
  const parsed = new X509Certificate(cert);
  const covers = names.every(name => parsed.checkHost(name)) && addresses.every(address => parsed.checkIP(address));
  if (!covers || isDue(endOf(cert), clock.now()) || !parsed.checkIssued(new X509Certificate(caPem))) return null;
  return { cert, key: readFileSync(keyFile, 'utf8') };
}

const endOf = (cert: string): UnixMs => Date.parse(new X509Certificate(cert).validTo);
const isDue = (endsAt: UnixMs, now: UnixMs): boolean => endsAt - now < renewDaysBefore * day;

/**
 * A box without a battery for its clock may start in 1970, and nobody may ever tell it the time.
 * What it signs then must be valid for devices that know it, so it lasts for ten years.
 */
const issuedAt = (clock: Clock): UnixMs => (clock.now() >= clockEarliest ? clock.now() : clockEarliest + 9 * 365 * day);

async function issue(
  { dir, names, addresses, clock, log }: CertificatesOptions,
  authority: Issued,
): Promise<ServedCertificate> {
  const issued = await (await issuing()).issueLeaf(authority, { names, addresses }, issuedAt(clock));
  writeSecret(join(dir, 'leaf.key'), issued.key);
  writeFile(join(dir, 'leaf.pem'), issued.cert);
  log.info({ until: new X509Certificate(issued.cert).validTo }, 'certificate_issued');
  return issued;
}

const writeSecret = (file: string, text: string): void => writeWhole(file, text, 0o600);
const writeFile = (file: string, text: string): void => writeWhole(file, text, 0o644);

/** Never half a file, whenever the power goes. */
function writeWhole(file: string, text: string, mode: number): void {
  writeFileSync(`${file}.new`, text, { mode, flush: true });
  renameSync(`${file}.new`, file);
}

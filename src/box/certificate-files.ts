import { type CertificateValues, type Config, ownCertificate, readCertificates, watchedKeys } from '../config/index.ts';
import type { Certificates } from '../operations/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Trust } from '../upstream/index.ts';

/** A certificate that was renewed on disk is served long before the old one ends. */
const lookEveryMs = 60_000;

interface CertificateFilesOptions {
  readonly config: Config;
  readonly fileOf: ReadonlyMap<string, string>;
  readonly certificates: Pick<Certificates, 'use' | 'notTaken'>;
  readonly trust: Pick<Trust, 'use'>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Takes the certificates and keys of `watchedKeys` when their files are replaced: within a minute,
 * or when `look` is called. Connections stay. A pair that does not fit is refused, once in the log
 * and as a warning of the box, and the one before is served on.
 */
export class CertificateFiles implements AsyncDisposable {
  readonly #options: CertificateFilesOptions;
  readonly #ending = new AbortController();
  readonly #watching: Promise<void>;
  #inForce: string;

  constructor(options: CertificateFilesOptions) {
    this.#options = options;
    const { config } = options;
    this.#inForce = JSON.stringify([config.tls, config.upstream?.ca]);
    this.#watching = watchedKeys.some(key => options.fileOf.has(key)) ? this.#watch() : Promise.resolve();
  }

  look(): void {
    const { config, fileOf, certificates, log } = this.#options;
    const read = readCertificates(config, fileOf);
    if ('values' in read) {
      certificates.notTaken = null;
      this.#take(read.values);
    } else if (read.trouble.why !== certificates.notTaken?.why) {
      certificates.notTaken = read.trouble;
      log.error({}, 'replaced_certificate_not_used', read.trouble);
    }
  }

  #take(values: CertificateValues): void {
    const { certificates, trust, log } = this.#options;
    const next = JSON.stringify([values.tls, values.ca]);
    if (next === this.#inForce) return;
    const [tls, ca] = JSON.parse(this.#inForce) as [Config['tls'], string | undefined];
    this.#inForce = next;
    if (values.ca !== (ca ?? undefined)) trust.use(values.ca);
    const { own } = ownCertificate(values.tls ? { tls: values.tls } : {});
    const legacyHost = legacyHostOf(values.tls);
    if (JSON.stringify(values.tls) !== JSON.stringify(tls)) certificates.use({ ...(own ? { own } : {}), legacyHost });
    log.info({}, 'replaced_certificates_in_use');
  }

  async #watch(): Promise<void> {
    const { clock } = this.#options;
    while (!this.#ending.signal.aborted) {
      await clock.sleep(lookEveryMs, this.#ending.signal).catch(() => {});
      if (!this.#ending.signal.aborted) this.look();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#watching;
  }
}

/** The legacy gateway host with its certificate (SPEC 5.3); null: devices use one name. */
export function legacyHostOf(tls: Config['tls']): ReturnType<Certificates['legacyHost']> {
  if (tls?.legacy_host === undefined || tls.legacy_cert === undefined || tls.legacy_key === undefined) return null;
  return { host: tls.legacy_host, cert: tls.legacy_cert, key: tls.legacy_key };
}

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
  readonly certificates: Pick<Certificates, 'use'>;
  readonly trust: Pick<Trust, 'use'>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Takes `tls.cert`, `tls.key` and `upstream.ca` when their files are replaced: within a minute, or
 * when `look` is called. Connections stay. A pair that does not fit is refused, once in the log,
 * and the one before is served on.
 */
export class CertificateFiles implements AsyncDisposable {
  readonly #options: CertificateFilesOptions;
  readonly #ending = new AbortController();
  readonly #watching: Promise<void>;
  #inForce: string;
  #trouble = '';

  constructor(options: CertificateFilesOptions) {
    this.#options = options;
    const { config } = options;
    this.#inForce = JSON.stringify([config.tls, config.upstream?.ca]);
    this.#watching = watchedKeys.some(key => options.fileOf.has(key)) ? this.#watch() : Promise.resolve();
  }

  look(): void {
    const { config, fileOf, log } = this.#options;
    const read = readCertificates(config, fileOf);
    if ('values' in read) {
      this.#trouble = '';
      this.#take(read.values);
    } else if (read.trouble !== this.#trouble) {
      this.#trouble = read.trouble;
      log.error(
        { why: read.trouble },
        'a certificate that was replaced on disk is not taken: the one before stays in use',
      );
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
    if (own && (own.cert !== tls?.cert || own.key !== tls.key)) certificates.use(own);
    log.info({}, 'certificates that were replaced on disk are in use');
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

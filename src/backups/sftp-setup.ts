import type { Clock } from '../runtime/clock.ts';
import type { SftpSettings } from './settings.ts';
import { offeredHostKey, type SftpLogin } from './sftp-login.ts';
import type { HostKey } from './ssh-key.ts';
import { failed, failureOf, type TargetFailed } from './target-failed.ts';
import { SftpTarget, sftpPlace } from './targets/sftp.ts';
import { tryTarget } from './try-target.ts';

interface SetupOptions {
  readonly login: SftpLogin;
  readonly dataDir: string;
  readonly epoch: string;
  readonly clock: Clock;
  /** In force; undefined: there is no such target. */
  settings(): SftpSettings | undefined;
}

interface SftpReport {
  readonly where: string;
  /** A line of `authorized_keys`. */
  readonly publicKey: string;
  /** Confirmed key; null before somebody has confirmed one. */
  readonly hostKey: HostKey | null;
  /** The config names the host key. */
  readonly isFixed: boolean;
}

interface SftpCheck {
  /** Key that the server offers; null if it could not be asked. */
  readonly offered: HostKey | null;
  /** Failure of the trial; null if all of it worked. */
  readonly failure: TargetFailed | null;
}

/**
 * How the box and its SFTP server come to know each other. All return null without such a target.
 */
export class SftpSetup implements Disposable {
  readonly #options: SetupOptions;
  readonly #closing = new AbortController();

  constructor(options: SetupOptions) {
    this.#options = options;
  }

  async report(): Promise<SftpReport | null> {
    const { login } = this.#options;
    const settings = this.#options.settings();
    if (!settings) return null;
    return {
      ...{ where: sftpPlace(settings), publicKey: await login.publicKey() },
      ...{ hostKey: login.hostKeyOf(settings), isFixed: settings.host_key !== undefined },
    };
  }

  /**
   * Asks the server for its host key, without a login. Once that was confirmed, logs in and writes
   * a small file.
   */
  async check(asked?: AbortSignal): Promise<SftpCheck | null> {
    const { login, clock } = this.#options;
    const settings = this.#options.settings();
    if (!settings) return null;
    const signal = asked ? AbortSignal.any([asked, this.#closing.signal]) : this.#closing.signal;
    const known = login.hostKeyOf(settings);
    const where = sftpPlace(settings);
    let offered: HostKey | null = null;
    try {
      offered = await offeredHostKey(settings, known, clock, signal);
      if (!known) return { offered, failure: null };
      if (known.key !== offered.key) {
        throw failed('host_key_changed', where, `${known.fingerprint} → ${offered.fingerprint}`);
      }
      await tryTarget(new SftpTarget(settings, () => login.keysFor(settings), this.#options), this.#options, signal);
      return { offered, failure: null };
    } catch (error) {
      signal.throwIfAborted();
      return { offered, failure: failureOf(error, where) };
    }
  }

  /** From now on the server is known by this key: type and base64, as `check` showed it. */
  async confirm(hostKey: string): Promise<boolean | null> {
    const settings = this.#options.settings();
    if (!settings) return null;
    // A key in the config cannot be changed here.
    if (settings.host_key !== undefined) return false;
    await this.#options.login.confirm(settings, hostKey);
    return true;
  }

  [Symbol.dispose](): void {
    this.#closing.abort();
  }
}

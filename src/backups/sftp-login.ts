import type { Clock } from '../runtime/clock.ts';
import type { BackupNotesStore } from '../store/index.ts';
import type { SftpSettings } from './settings.ts';
import { type HostKey, hostKeyOf, newSshKeyPair, type SshKeyPair } from './ssh-key.ts';
import { failed } from './target-failed.ts';
import { type SftpKeys, sftpPlace, sftpPortByDefault } from './targets/sftp.ts';
import { sshFailed } from './targets/ssh-failed.ts';
import { runSsh } from './targets/ssh-program.ts';

interface Confirmed {
  readonly host: string;
  readonly port: number;
  readonly key: string;
}

interface Kept {
  readonly pair: SshKeyPair;
  /** Confirmed key of the server; null before somebody has confirmed one. */
  readonly confirmed: Confirmed | null;
}

type LoginStore = BackupNotesStore & { readonly epoch: string };

const noteKey = 'sftp';
const scanMs = 40_000;

/** The key pair of the box, and the host key that a person confirmed: kept sealed in the store. */
export class SftpLogin {
  readonly #store: LoginStore;
  /** Key pair; null before it was needed. */
  #kept: Kept | null;
  #making: Promise<Kept> | null = null;

  private constructor(store: LoginStore, kept: Kept | null) {
    this.#store = store;
    this.#kept = kept;
  }

  static async open(store: LoginStore): Promise<SftpLogin> {
    const text = await store.read.backupSetting(noteKey);
    return new SftpLogin(store, text === null ? null : (JSON.parse(text) as Kept));
  }

  async publicKey(): Promise<string> {
    return (await this.#made()).pair.publicKey;
  }

  async keysFor(settings: SftpSettings): Promise<SftpKeys> {
    const { pair } = await this.#made();
    return { privateKey: pair.privateKey, hostKey: this.#pinned(settings) };
  }

  /** The key by which the server is known; null: it was not confirmed. */
  hostKeyOf(settings: SftpSettings): HostKey | null {
    const key = this.#pinned(settings);
    return key === null ? null : hostKeyOf(key);
  }

  /** From now on the server at that host and port is known by this key: type and base64. */
  async confirm({ host, port = sftpPortByDefault }: SftpSettings, key: string): Promise<void> {
    await this.#keep({ ...(await this.#made()), confirmed: { host, port, key } });
  }

  #pinned({ host, port = sftpPortByDefault, host_key }: SftpSettings): string | null {
    if (host_key !== undefined) return host_key;
    const confirmed = this.#kept?.confirmed;
    return confirmed?.host === host && confirmed.port === port ? confirmed.key : null;
  }

  /** The key pair is made when it is first needed. */
  async #made(): Promise<Kept> {
    if (this.#kept) return this.#kept;
    const comment = `gatehouse-${this.#store.epoch.slice(0, 8)}`;
    this.#making ??= this.#keep({ pair: newSshKeyPair(comment), confirmed: null }).finally(() => {
      this.#making = null;
    });
    return this.#making;
  }

  async #keep(kept: Kept): Promise<Kept> {
    await this.#store.write.putBackupSetting({ key: noteKey, value: JSON.stringify(kept) });
    this.#kept = kept;
    return kept;
  }
}

/** Key types to ask for, the preferred first. */
const types = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', 'ssh-rsa'];

/**
 * Asks the server for its host key, without a login: of the type that is already known, else the
 * best that it has. Throws TargetFailed.
 */
export async function offeredHostKey(
  settings: SftpSettings,
  known: HostKey | null,
  clock: Clock,
  signal: AbortSignal,
): Promise<HostKey> {
  const { host, port = sftpPortByDefault } = settings;
  const { output, complaint } = await runSsh(
    {
      program: 'ssh-keyscan',
      args: ['-p', String(port), '-T', '10', '-t', 'ed25519,ecdsa,rsa', host],
      ...{ input: '', clock, limitMs: scanMs },
    },
    signal,
  );
  const keys = output
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => line.split(' ').slice(1, 3).join(' '));
  const ordered = [...(known ? [known.type] : []), ...types];
  const best = ordered.flatMap(type => keys.find(key => key.startsWith(`${type} `)) ?? [])[0];
  if (best !== undefined) return hostKeyOf(best);
  const where = sftpPlace(settings);
  if (/getaddrinfo/.test(complaint)) throw sshFailed(complaint, where);
  throw failed('unreachable', where);
}

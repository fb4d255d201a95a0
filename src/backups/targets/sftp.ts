import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../runtime/clock.ts';
import { workPrefix } from '../../store/index.ts';
import type { SftpSettings } from '../settings.ts';
import { failed, type TargetFailed } from '../target-failed.ts';
import { sshFailed } from './ssh-failed.ts';
import { runSsh } from './ssh-program.ts';
import { type OpenTarget, partOf, type Target } from './target.ts';

/** Keys by which the box and the server know each other. */
export interface SftpKeys {
  /** Of the box, as a file of OpenSSH. Secret. */
  readonly privateKey: string;
  /** Of the server: type and base64; null: nobody confirmed one yet. */
  readonly hostKey: string | null;
}

interface SftpRoom {
  readonly dataDir: string;
  readonly clock: Clock;
}

export const sftpPortByDefault = 22;

const minuteMs = 60_000;
const commandMs = 2 * minuteMs;
/** A slow line takes hours for a large archive; one that is dead ends earlier, see `options`. */
const transferMs = 360 * minuteMs;

/** Files in the working folder: ssh gets their names, as it would expand a whole path. */
const files = { key: 'key', hosts: 'hosts', local: 'file' };
/** One name stands for the server, whatever it is called: its key is pinned. */
const hostAlias = 'target';

/**
 * A folder of an SFTP server, by the system's own `sftp` in batch mode: one connection for each
 * step, the login by the box's key alone, and no server but the one whose key was confirmed.
 */
export class SftpTarget implements Target {
  readonly where: string;
  readonly #settings: SftpSettings;
  readonly #keys: () => Promise<SftpKeys>;
  readonly #room: SftpRoom;

  constructor(settings: SftpSettings, keys: () => Promise<SftpKeys>, room: SftpRoom) {
    this.where = sftpPlace(settings);
    this.#settings = settings;
    this.#keys = keys;
    this.#room = room;
  }

  async open(signal: AbortSignal): Promise<OpenTarget> {
    const { privateKey, hostKey } = await this.#keys();
    if (hostKey === null) throw failed('host_key_unknown', this.where);
    const folder = await mkdtemp(join(this.#room.dataDir, `${workPrefix}sftp-`));
    await writeFile(join(folder, files.key), privateKey, { mode: 0o600 });
    await writeFile(join(folder, files.hosts), `${hostAlias} ${hostKey}\n`, { mode: 0o600 });
    return new OpenSftp(this.#settings, this.where, folder, this.#room.clock, signal);
  }
}

/** For people, such as `backup@nas.example:gatehouse`. */
export function sftpPlace({ host, port = sftpPortByDefault, user, folder }: SftpSettings): string {
  const server = host.includes(':') ? `[${host}]` : host;
  return `${user}@${server}:${folder}${port === sftpPortByDefault ? '' : ` (port ${port})`}`;
}

class OpenSftp implements OpenTarget {
  readonly #settings: SftpSettings;
  readonly #where: string;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;

  constructor(settings: SftpSettings, where: string, folder: string, clock: Clock, signal: AbortSignal) {
    this.#settings = settings;
    this.#where = where;
    this.#folder = folder;
    this.#clock = clock;
    this.#signal = signal;
  }

  /**
   * Free bytes; null if the server does not tell. Some accounts have a quota that it does not tell.
   */
  async freeBytes(): Promise<number | null> {
    const { isGood, output, complaint } = await this.#try(['df']);
    if (!isGood && !/statvfs/.test(complaint)) throw sshFailed(complaint, this.#where);
    // Size, used, available to this user, available to root: in KiB.
    const available = /^[ \t]*\d+\s+\d+\s+(\d+)\s+\d+\s+\d+%/m.exec(output)?.[1];
    return available === undefined ? null : Number(available) * 1024;
  }

  async names(): Promise<string[]> {
    const said = await this.#do(['ls -1']);
    return said.split('\n').filter(line => line !== '' && !line.startsWith('sftp> '));
  }

  async put(file: string, name: string, signal: AbortSignal): Promise<void> {
    const local = join(this.#folder, files.local);
    await rm(local, { force: true });
    await symlink(file, local);
    const part = quoted(partOf(name));
    try {
      const commands = [`put -f ${files.local} ${part}`, `rename ${part} ${quoted(name)}`];
      await this.#do(commands, transferMs, AbortSignal.any([signal, this.#signal]));
    } catch (error) {
      signal.throwIfAborted();
      this.#signal.throwIfAborted();
      const failure = error as TargetFailed;
      const why = failure.code === 'failed' ? await this.#whyNotWritten(failure) : failure;
      // If the server cannot be reached any more, the next run removes it.
      await this.remove(partOf(name)).catch(() => {});
      throw why;
    } finally {
      await rm(local, { force: true });
    }
  }

  /** SFTP has no word for a full disk. The part is still there, so that a full disk shows. */
  async #whyNotWritten(failure: TargetFailed): Promise<TargetFailed> {
    const free = await this.freeBytes().catch(() => null);
    if (free !== null && free < fullBytes) return failed('full', this.#where);
    return failed('refused', this.#where, String(failure.said.params.detail));
  }

  async fetched(name: string, folder: string, signal: AbortSignal): Promise<string> {
    const local = join(this.#folder, files.local);
    await this.#do([`get ${quoted(name)} ${files.local}`], transferMs, AbortSignal.any([signal, this.#signal]));
    const file = join(folder, name);
    await rename(local, file);
    return file;
  }

  async remove(name: string): Promise<void> {
    const { isGood, complaint } = await this.#try([`rm ${quoted(name)}`]);
    if (!isGood && !/remote delete .*: No such file/.test(complaint)) throw sshFailed(complaint, this.#where);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Returns what it wrote, its commands among it. */
  async #do(commands: readonly string[], limitMs = commandMs, signal = this.#signal): Promise<string> {
    const { isGood, output, complaint } = await this.#try(commands, limitMs, signal);
    if (!isGood) throw sshFailed(complaint, this.#where);
    return output;
  }

  #try(commands: readonly string[], limitMs = commandMs, signal = this.#signal) {
    const { host, port = sftpPortByDefault, user, folder } = this.#settings;
    const server = host.includes(':') ? `[${host}]` : host;
    return runSsh(
      {
        program: 'sftp',
        args: [...options, '-P', String(port), '-o', `User=${user}`, server],
        input: `${[`cd ${quoted(folder)}`, ...commands].join('\n')}\n`,
        ...{ cwd: this.#folder, clock: this.#clock, limitMs },
      },
      signal,
    );
  }
}

/** Less than this free after a failed write: the disk is full. */
const fullBytes = 1 << 20;

/** No settings of the machine, no password, no other key, and one server only. */
const options: readonly string[] = [
  ...['-F', 'none', '-b', '-', '-i', files.key],
  ...Object.entries({
    IdentitiesOnly: 'yes',
    PreferredAuthentications: 'publickey',
    HostKeyAlias: hostAlias,
    UserKnownHostsFile: files.hosts,
    GlobalKnownHostsFile: '/dev/null',
    StrictHostKeyChecking: 'yes',
    UpdateHostKeys: 'no',
    ConnectTimeout: '20',
    ServerAliveInterval: '15',
    ServerAliveCountMax: '4',
  }).flatMap(([key, value]) => ['-o', `${key}=${value}`]),
];

/** The settings refuse what sftp would expand within quotes. */
const quoted = (name: string): string => `"${name}"`;

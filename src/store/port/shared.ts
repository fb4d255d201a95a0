import type { GuessCounts } from '../../runtime/guess-windows.ts';
import type { DeviceNo } from './journal.ts';

/** A session of a device over HTTP, as each process of a region can take it up. */
export interface SharedHttpSession {
  readonly deviceNo: DeviceNo;
  /** State of the gateway, in its own format; stored sealed. */
  readonly said: string;
  /** Silence after which it ends. */
  readonly lifetimeMs: number;
}

/**
 * Sessions of devices over HTTP, by the hash of their Authorization value. What is asked for
 * rejects with a StoreError when the database cannot be asked.
 */
export interface SharedHttpSessions {
  /** A new value of 256 random bits. */
  newValue(): string;
  /** Whether another process may have opened a session with this value, as its form shows. */
  isOurs(value: string): boolean;
  /**
   * Resolves with a number that is higher than that of every session before. Of the device's
   * earlier ones the last one lives on, until this one is used.
   */
  open(hash: string, session: SharedHttpSession): Promise<number>;
  /** Counts as its use, by which the device's earlier ones end. Null: it is over. */
  find(hash: string): Promise<(SharedHttpSession & { readonly made: number }) | null>;
  /** The same of a session that this process has opened. */
  used(hash: string): void;
  /** When sessions were heard last by this process. */
  heard(sessions: readonly { readonly hash: string; readonly silentMs: number }[]): void;
  /** Resolves to false when it was over before. */
  end(hash: string): Promise<boolean>;
  /** The same, unless another process has heard it. */
  endSilent(hash: string): Promise<boolean>;
  endAllOf(deviceNo: DeviceNo): Promise<void>;
  /** Called when a session has ended, through whichever process. */
  onEnded(listener: (hash: string) => void): void;
}

/** Which devices are online at the other processes. */
export interface SharedPresence {
  /** A device has come online here, or has gone: the others hear of it. */
  changed(deviceNo: DeviceNo, online: boolean): void;
  isElsewhere(deviceNo: DeviceNo): boolean;
  /** Called when a device has come to another process, or has left it. */
  onChange(listener: (deviceNo: DeviceNo, online: boolean) => void): void;
}

export interface SharedLogCounts {
  /**
   * Adds what this process has taken of devices since it last said so (`more`), of the `stored`
   * that it knows of. Resolves with how many all have taken on that day.
   */
  add(
    day: string,
    taken: ReadonlyMap<DeviceNo, { readonly more: number; readonly stored: number }>,
  ): Promise<Map<DeviceNo, number>>;
}

/** State that the processes of a region share. */
export interface SharedState {
  readonly httpSessions: SharedHttpSessions;
  readonly guesses: GuessCounts;
  readonly presence: SharedPresence;
  readonly logCounts: SharedLogCounts;
  /**
   * Runs `act` while no process runs another one with the same key. Rejects with a StoreError
   * (`too_busy`) when another one has not come to an end after 10 s.
   */
  alone<Result>(key: string, act: () => Promise<Result>): Promise<Result>;
}

export interface SharedStore {
  readonly shared: SharedState;
}

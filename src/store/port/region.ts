import { randomBytes } from 'node:crypto';
import { countedHere, type GuessCounts } from '../../runtime/guess-windows.ts';
import type { DeviceNo } from './journal.ts';

/** The right to do what one process of a region may do at a time. */
export interface Lease {
  /**
   * Hot. By the machine's monotonic clock, so that a process which hung finds out by itself that
   * its lease has expired, before another may take it.
   */
  readonly isMine: boolean;
  /**
   * Of the lease to forward: whether the uplink of its holder was up when the holder last said so,
   * two seconds ago.
   */
  readonly isUpElsewhere: boolean;
  /** Tells those that stand by whether the uplink is up, while the lease is this process's. */
  tellUp(isUp: boolean): void;
  /** Called when this process has taken the lease, and when it has lost it. */
  onChange(listener: (isMine: boolean) => void): void;
}

/** Messages between the processes of a region: mostly a hint to read the database. */
export interface Processes {
  /**
   * Tells all other processes, which hear it within milliseconds, in the order in which it was
   * told; what was committed before is there for them. At most 7,500 bytes; RangeError for more.
   * Whoever is not connected at that moment hears nothing, so nothing may depend on it alone.
   */
  tell(topic: ProcessTopic, text: string): Promise<void>;
  /** `from`: a number that no other process has, and no later start of the same one. */
  onMessage(topic: ProcessTopic, listener: (text: string, from: number) => void): void;
}

export type ProcessTopic = 'push' | 'alerts' | 'alert-facts' | 'people' | 'webhooks' | 'wrong-logins';

/**
 * Which process serves a device, where several do. A process takes a device before it answers its
 * login: then no other one stores a record of it any more, and all that they had taken is stored.
 */
export interface DeviceClaims {
  /**
   * Resolves to true when this process has the device, at once if it had it before. False: the
   * device is to try again.
   */
  claim(deviceNo: DeviceNo): Promise<boolean>;
  /**
   * Before a record of the device that came over HTTP is appended, in the same turn: what other
   * processes had taken of it so is stored then, and they take none before they ask this one.
   * Resolves to false: the device is to try again. Its MQTT session stays where it is.
   */
  takeForHttp(deviceNo: DeviceNo): Promise<boolean>;
  /** Whether it still has it: another process may have asked for it since. */
  has(deviceNo: DeviceNo): boolean;
  /**
   * Called when another process asks for a device. Its connection has to be ended at once; it is
   * given away when the promise is resolved and what the device had sent is stored.
   */
  onWanted(listener: (deviceNo: DeviceNo) => Promise<void>): void;
  /** Called when this process has taken a device from another one, or from nobody. */
  onTaken(listener: (deviceNo: DeviceNo) => void): void;
  /** Tells the process that has the device of a message in its inbox. Never rejects. */
  tellOfMessage(deviceNo: DeviceNo): Promise<void>;
  onMessage(listener: (deviceNo: DeviceNo) => void): void;
}

export interface ClaimStore {
  readonly claims: DeviceClaims;
  /**
   * Reads products and devices again, if another process has changed them since; false: they are as
   * they were. Without it a change is heard of within 25 ms. Rejects with a StoreError when the
   * database has not answered for five seconds.
   */
  readonly refreshDirectory: () => Promise<boolean>;
}

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

/** The lease of a box, which no other process asks for. */
const alwaysMine: Lease = { isMine: true, isUpElsewhere: false, tellUp() {}, onChange() {} };

const noOthers: Processes = { async tell() {}, onMessage() {} };

const allDevices: DeviceClaims = {
  claim: async () => true,
  takeForHttp: async () => true,
  has: () => true,
  onWanted() {},
  onTaken() {},
  async tellOfMessage() {},
  onMessage() {},
};

/** Shared with nobody: a box holds in memory what it knows. */
function sharedState(): SharedState {
  let sessionsMade = 0;
  const last = new Map<string, Promise<unknown>>();
  return {
    httpSessions: {
      newValue: () => randomBytes(32).toString('base64url'),
      isOurs: () => false,
      open: async () => ++sessionsMade,
      find: async () => null,
      used() {},
      heard() {},
      end: async () => true,
      endSilent: async () => true,
      async endAllOf() {},
      onEnded() {},
    },
    guesses: countedHere,
    presence: { changed() {}, isElsewhere: () => false, onChange() {} },
    logCounts: { add: async () => new Map<DeviceNo, number>() },
    alone(key, act) {
      const mine = (last.get(key) ?? Promise.resolve()).then(act);
      const over = mine.then(
        () => {},
        () => {},
      );
      last.set(key, over);
      void over.then(() => last.get(key) === over && last.delete(key));
      return mine;
    },
  };
}

/** State that a region's processes share, for a store that one process has open. */
export const regionOfOne = () => ({
  forwarding: alwaysMine,
  once: alwaysMine,
  processes: noOthers,
  claims: allDevices,
  shared: sharedState(),
  refreshDirectory: async () => false,
});

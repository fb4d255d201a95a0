import type { DeviceNo } from './journal.ts';

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
   * they were. Without it a change is heard of within 25 ms.
   */
  readonly refreshDirectory: () => boolean;
}

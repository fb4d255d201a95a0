import type { DeviceId } from '../../../src/platform/device-id.ts';
import type { Clock } from '../../../src/runtime/clock.ts';
import type { Outbox } from './outbox.ts';

export interface ConnectionOptions {
  readonly clock: Clock;
  readonly url: string;
  readonly ca?: string | undefined;
  /** Accepts any certificate. */
  readonly insecure?: boolean | undefined;
  readonly deviceId: DeviceId;
  /** Key that signs the login: the device key once there is one. */
  readonly key: () => string;
  readonly outbox: Outbox;
  readonly received: (envelope: Record<string, unknown>) => void;
  readonly keepAliveSeconds: number;
}

/** One connection of a device, from login to its end. */
export interface Connection {
  /** Sends what the outbox holds, as far as its window allows. */
  pump(): void;
  close(): Promise<void>;
  /** Resolves when it has ended, with the reason in a few words. */
  readonly ended: Promise<string>;
}

export const parseObject = (text: string): Record<string, unknown> | null => {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
};

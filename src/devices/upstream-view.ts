import type { DeviceNo } from '../store/index.ts';

/** View of the uplink that the gateways need; passed in by the composition root. */
export interface UpstreamView {
  /** No cloud is configured: the box issues device keys itself. */
  readonly standsAlone: boolean;
  /** Whether a message of this device can reach the cloud now. */
  isUp(deviceNo: DeviceNo): boolean;
  /**
   * Waits for this device's session with the cloud. Resolves with true when it is up, with false
   * when that is not to be expected soon, or when `signal` is aborted. Never rejects.
   */
  whenUp(deviceNo: DeviceNo, signal: AbortSignal): Promise<boolean>;
  /** Asks the cloud once whether it accepts these credentials. */
  tryLogin(credentials: {
    readonly clientId: string;
    readonly userName: string;
    readonly password: string;
    readonly productId: string;
  }): Promise<'accepted' | 'refused' | 'unreachable'>;
}

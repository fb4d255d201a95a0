import type { DeviceNo } from '../store/index.ts';

/** What the gateways need to know of the uplink; passed in by the composition root. */
export interface UpstreamView {
  /** No cloud is configured: the box issues device keys itself. */
  readonly standsAlone: boolean;
  /** Whether a message of this device can reach the cloud now. */
  isUp(deviceNo: DeviceNo): boolean;
  /** Asks the cloud once whether it accepts these credentials. */
  tryLogin(credentials: {
    readonly clientId: string;
    readonly userName: string;
    readonly password: string;
    readonly productId: string;
  }): Promise<'accepted' | 'refused' | 'unreachable'>;
}

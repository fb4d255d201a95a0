/** The names of NetworkManager on the system bus, and the values of its properties. */

export const manager = 'org.freedesktop.NetworkManager';
export const managerPath = '/org/freedesktop/NetworkManager';
export const settingsPath = `${managerPath}/Settings`;
export const settingsInterface = `${manager}.Settings`;
export const profileInterface = `${manager}.Settings.Connection`;
export const activeInterface = `${manager}.Connection.Active`;
export const deviceInterface = `${manager}.Device`;
export const wirelessInterface = `${manager}.Device.Wireless`;

/** NMDeviceState. */
export const state = { unavailable: 20, disconnected: 30, prepare: 40, activated: 100, failed: 120 } as const;
/** NMDeviceType. */
export const wifiDeviceType = 2;

/** A wifi interface, as NetworkManager knows it. */
export interface WifiDevice {
  readonly path: string;
  readonly name: string;
}

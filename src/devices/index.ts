export { openDevices } from './open.ts';
export type { Devices, DevicesOptions } from './port.ts';
export type { UpstreamView } from './upstream-view.ts';

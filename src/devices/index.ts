export { openDevices } from './open.ts';
export type { Devices, DevicesOptions, DevicesStatus } from './port.ts';
export { stillRefused } from './refused-now.ts';
export type { UpstreamView } from './upstream-view.ts';

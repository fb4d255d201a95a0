export { type Devices, type DevicesOptions, openDevices } from './open.ts';
export type { UpstreamView } from './upstream-view.ts';

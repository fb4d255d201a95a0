export type { Arrival } from './cloud/arrivals.ts';
export {
  type CloudStats,
  type ListenerName,
  listenerNames,
  type SimCloud,
  type SimCloudOptions,
  startSimCloud,
} from './cloud/cloud.ts';
export { type FaultName, type Faults, faultNames } from './cloud/faults.ts';
export type { CloudEvent } from './cloud/gateway.ts';
export type { SimProduct } from './cloud/identities.ts';
export type { CloudLimits } from './cloud/quotas.ts';
export {
  type SimDeviceEvent,
  type SimDeviceStats,
  type SimDevices,
  type SimDevicesOptions,
  startSimDevices,
} from './device/devices.ts';
export { type SimHotspot, type SimHotspotOptions, startSimHotspot } from './device/hotspot.ts';
export { type Shape, staff as simulatedStaff } from './device/people.ts';
export type { Said } from './device/speech.ts';

export { type ApiFaultKind, type ApiFaultName, type ApiName, apiFaultKinds, apiNames } from './cloud/api-faults.ts';
export type { Arrival } from './cloud/arrivals.ts';
export type {} from './cloud/attendance/attendance.ts';
export {
  listenerNames,
  type SimCloud,
  type SimCloudOptions,
  startSimCloud,
} from './cloud/cloud.ts';
export { type FaultName, faultNames } from './cloud/faults.ts';
export type { CloudEvent } from './cloud/gateway.ts';
export type {} from './cloud/identities.ts';
export type {} from './cloud/quotas.ts';
export {
  type SimDevices,
  type SimDevicesOptions,
  startSimDevices,
} from './device/devices.ts';
export { startSimHotspot } from './device/hotspot.ts';
export { type Shape, staff as simulatedStaff } from './device/people.ts';
export type {} from './device/speech.ts';

export { bluezRadio } from './site-devices/bluez.ts';
export type { SiteDevicesOptions } from './site-devices/context.ts';
export type {
  FoundDevice,
  InfoOutcome,
  ProvisionEvent,
  ScanRequest,
  Target,
  VerifyOutcome,
  Via,
  WifiOutcome,
  WifiSettings,
} from './site-devices/events.ts';
export { SiteDeviceFailure } from './site-devices/failure.ts';
export { openSiteDevices, type SiteDevices } from './site-devices/open.ts';
export type { Wifi } from './wifi/port.ts';
export { simulatedWifi } from './wifi/simulated.ts';

export { AddressChanges, triedSeconds } from './address/address-changes.ts';
export { wrongIn } from './address/check.ts';
export { tellMachine } from './address/machine-names.ts';
export { NetworkManagerAddress } from './address/networkmanager.ts';
export { AddressUnavailable } from './address/port.ts';
export { makeHotspotKey } from './hotspot/key.ts';
export { openProvisioning } from './open.ts';
export type { Provisioning, ProvisioningOptions } from './port.ts';
export { boxLabelSheet } from './qr/box-labels.ts';
export { type CodeWish, type DeviceCode, deviceCode } from './qr/device-code.ts';
export { qrMatrix, qrSvg, qrText } from './qr/draw.ts';
export { type Label, type LabelLanguage, labelLanguage, labelSheet, type SheetName, sheetNames } from './qr/labels.ts';
export { qrPng } from './qr/png.ts';
export { lookAtRadios } from './radios.ts';
export type { PlatformAbove } from './reach.ts';
export { bluezRadio } from './site-devices/bluez.ts';
export type { SiteDevicesOptions } from './site-devices/context.ts';
export type {
  FoundDevice,
  InfoOutcome,
  ProvisionEvent,
  VerifyOutcome,
  WifiOutcome,
} from './site-devices/events.ts';
export { SiteDeviceFailure } from './site-devices/failure.ts';
export { openSiteDevices, type SiteDevices } from './site-devices/open.ts';
export { keyfileName, keyfileOf } from './wifi/keyfile.ts';

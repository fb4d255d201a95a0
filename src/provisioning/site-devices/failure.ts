/** Reasons for which a device could not be set up; the message of each has the remedy. */
export type SiteDeviceFailureCode =
  | 'busy'
  | 'off'
  | 'no_bus'
  | 'no_bluetooth'
  | 'no_adapter'
  | 'adapter_off'
  | 'adapter_gone'
  | 'not_found'
  | 'refused'
  | 'no_profile'
  | 'gone'
  | 'silent'
  | 'device_error'
  | 'garbled'
  | 'unknown_product'
  | 'bad_request'
  | 'not_utf8'
  | 'not_by_hotspot'
  | 'would_leave'
  | 'no_wifi'
  | 'not_joined'
  | 'unreachable'
  | 'too_long';

/** An expected end of a run: the message is one sentence for a person, with what to do. */
export class SiteDeviceFailure extends Error {
  readonly code: SiteDeviceFailureCode;
  constructor(code: SiteDeviceFailureCode, message: string) {
    super(message);
    this.name = 'SiteDeviceFailure';
    this.code = code;
  }
}

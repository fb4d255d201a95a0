import { type GivenReason, SaidError } from '../../words/sentences.ts';

/** Reasons for which a device could not be set up; the sentence has the remedy. */
type SiteDeviceFailureCode =
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

/** An expected end of a run, in one sentence for a person, with what to do. */
export class SiteDeviceFailure extends SaidError {
  readonly code: SiteDeviceFailureCode;
  constructor(code: SiteDeviceFailureCode, said: GivenReason) {
    super(said);
    this.name = 'SiteDeviceFailure';
    this.code = code;
  }
}

import type { SignatureForm } from '../../platform/device-signature.ts';
import type { PasswordForm } from '../../platform/wifi-password.ts';
import type { WifiSecurity } from '../../platform/wifi-security.ts';
import type { Coded, Reason } from '../../words/sentences.ts';
import type { SignatureMistake } from './signature-check.ts';

/**
 * The four things that can be asked for, and what each comes to. The names are those of the admin
 * API.
 */

export type Via = 'bluetooth' | 'hotspot';

/** One step of a run, in words for the person who waits; a note has its code as well. */
export interface ProvisionEvent extends Coded {
  readonly step:
    | 'looking'
    | 'found'
    | 'connecting'
    | 'connected'
    | 'asking'
    | 'identified'
    | 'sending'
    | 'silence'
    | 'result'
    | 'waiting'
    | 'online'
    | 'leaving'
    | 'back'
    | 'note';
  readonly message: string;
}
export type OnEvent = (event: ProvisionEvent) => void;

export const noteOf = ({ reason, code, params }: Reason): ProvisionEvent => ({
  step: 'note',
  message: reason,
  code,
  params,
});

export interface FoundDevice {
  readonly name: string;
  /** Empty: found by its hotspot. */
  readonly address: string;
  /** Percent; null: unknown. */
  readonly quality: number | null;
  readonly via: Via;
}

/** Which device, and how it is reached. */
export interface Target {
  /** A name of the scan, a Bluetooth address, or a device id. Empty with `host`. */
  readonly target: string;
  readonly via?: Via | undefined;
  /** The endpoints of a device's hotspot, where they can be reached already. */
  readonly host?: { readonly host: string; readonly port: number } | undefined;
  /** Password of the device's hotspot; absent: it is open. */
  readonly hotspotKey?: string | undefined;
  /** The box may leave its only network for the hotspot. */
  readonly leave?: boolean | undefined;
}

export interface ScanRequest {
  readonly seconds?: number | undefined;
  readonly via?: Via | undefined;
}

export interface WifiSettings extends Target {
  readonly ssid: string;
  /** Empty: an open network. */
  readonly key: string;
  readonly security?: WifiSecurity | undefined;
  readonly form?: PasswordForm | undefined;
}

export interface InfoOutcome {
  readonly device_id: string;
  readonly model: string;
  readonly name: string;
  readonly address: string;
  readonly via: Via;
  /** By hotspot only. */
  readonly version: string | null;
  readonly product_known: boolean;
  /** Networks that the device sees; by hotspot only. */
  readonly networks:
    | readonly {
        readonly ssid: string;
        /** Else the device cannot be told to join it. */
        readonly utf8: boolean;
        readonly security: string;
        readonly quality: number | null;
      }[]
    | null;
}

export interface VerifyOutcome {
  readonly device_id: string;
  readonly model: string;
  readonly genuine: boolean;
  /** Key that matched; null if none did. */
  readonly key: 'product key' | 'device key' | null;
  readonly form: SignatureForm | null;
  /** Mistake in the signature; null if the device is genuine. */
  readonly mistake: SignatureMistake | null;
  /** One sentence: what matched, or the likely mistake. */
  readonly message: string;
}

export interface WifiOutcome {
  readonly device_id: string;
  readonly model: string;
  /** The device is in the network. */
  readonly configured: boolean;
  /** Whether the device is connected to this box. */
  readonly online: boolean;
  /** SPEC 3.4 and 7.6; null: it announced nothing. */
  readonly status: number | null;
  readonly error: number | null;
  /** By which way the result came. */
  readonly heard: 'bluetooth' | 'udp' | 'online' | null;
  readonly form: PasswordForm | null;
  /** The other reading of SPEC 5.4, where it may be that; null: there is no reason to think so. */
  readonly try_form: PasswordForm | null;
  readonly message: string;
}

import type { SignatureForm } from '../../platform/device-signature.ts';
import type { PasswordForm } from '../../platform/wifi-password.ts';
import type { ScannedSecurity, WifiSecurity } from '../../platform/wifi-security.ts';
import type { Params, Reason, ValuesOf } from '../../words/sentences.ts';
import { siteDeviceSteps } from '../../words/site-device-steps.ts';

/**
 * The four things that can be asked for, and what each comes to. The names are those of the admin
 * API.
 */

export type Via = 'bluetooth' | 'hotspot';

/** A sentence that an outcome or an event says. */
interface Message {
  readonly message: string;
  readonly code: string;
  readonly params: Params;
}

/** One step of a run, in words for the person who waits. */
export interface ProvisionEvent extends Message {
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
}
export type OnEvent = (event: ProvisionEvent) => void;

export const messageOf = ({ reason: message, code, params }: Reason): Message => ({ message, code, params });

type Steps = typeof siteDeviceSteps.texts;

export const stepOf = <Code extends keyof Steps>(
  step: ProvisionEvent['step'],
  code: Code,
  ...values: ValuesOf<Steps[Code]>
): ProvisionEvent => ({ step, ...messageOf(siteDeviceSteps.say(code, ...(values as never))) });

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

/** A wifi network that a device may be given. */
export interface SeenNetwork {
  readonly ssid: string;
  readonly security: ScannedSecurity;
  /** Percent. */
  readonly quality: number;
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

/** The message says what matched, or the likely mistake. */
export interface VerifyOutcome extends Message {
  readonly device_id: string;
  readonly model: string;
  readonly genuine: boolean;
  /** Key that matched; null if none did. */
  readonly key: 'product key' | 'device key' | null;
  readonly form: SignatureForm | null;
}

export interface WifiOutcome extends Message {
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
}

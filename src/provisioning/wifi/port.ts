import type { SetupError } from '../../platform/setup-result.ts';
import type { Ssid } from '../../platform/ssid.ts';
import type { ScannedSecurity } from '../../platform/wifi-security.ts';
import { type GivenReason, type Reason, SaidError } from '../../words/sentences.ts';

/** A network that a scan found. */
export interface WifiNetwork extends Ssid {
  readonly security: ScannedSecurity;
  /** Percent. */
  readonly quality: number;
}

/** The address of an interface in its network. */
export interface NetworkPlace {
  /** `02:00:00:00:01:00` */
  readonly mac: string;
  /** Dotted IPv4; 0.0.0.0 where there is none, as in a result of SPEC 4.5. */
  readonly address: string;
  readonly mask: string;
  readonly gateway: string;
}

export const nowhere: NetworkPlace = {
  mac: '00:00:00:00:00:00',
  address: '0.0.0.0',
  mask: '0.0.0.0',
  gateway: '0.0.0.0',
};

export interface WifiJoin extends Ssid {
  /** Undefined: as the scan says, or the usual if the network is hidden. */
  readonly security?: ScannedSecurity | undefined;
  /** Empty: an open network. */
  readonly key: string;
  /** No scan shows it: it has to be asked for by name. */
  readonly hidden?: boolean;
}

export type Joined =
  | { readonly ok: true; readonly place: NetworkPlace }
  | {
      readonly ok: false;
      /** SPEC 7.6: -3, -2, -4, -5 or -6. */
      readonly error: SetupError;
      readonly why: Reason;
      readonly place: NetworkPlace;
    };

export interface Hotspot {
  readonly name: string;
  /** Key of the network; null for an open one. */
  readonly key: string | null;
  /** The box's own address there, with the bits of its mask: `10.192.168.1/24`. */
  readonly address: string;
}

/**
 * There is no wifi at the moment: no interface, no NetworkManager, no D-Bus, or it refuses. The
 * message says which, and what to do.
 */
export class WifiUnavailable extends SaidError {
  override readonly name = 'WifiUnavailable';
}

/**
 * The wifi interface of the box. One thing at a time: a radio that is a hotspot neither scans nor
 * joins. Every function throws `WifiUnavailable` where there is none.
 */
export interface Wifi extends AsyncDisposable {
  /** Reason for which wifi cannot be used; null if it can. */
  whyNot(): Promise<GivenReason | null>;
  /** Whether the box has a network, by wire or by wifi; its own hotspot is none. */
  hasNetwork(): Promise<boolean>;
  /** The strongest first, each name once. Networks of hidden names are left out. */
  scan(signal: AbortSignal): Promise<WifiNetwork[]>;
  openHotspot(hotspot: Hotspot, signal: AbortSignal): Promise<void>;
  closeHotspot(): Promise<void>;
  /**
   * Joins and gets an address. What failed leaves nothing behind. `keep`: again by itself after a
   * restart.
   */
  join(network: WifiJoin, options: { readonly keep: boolean; readonly signal: AbortSignal }): Promise<Joined>;
  /** Leaves and forgets the network that was joined with `keep`, or every one that was not. */
  forget(which: 'kept' | 'passing'): Promise<void>;
  /** Whether the system can reach the internet; null: unknown. */
  reachesInternet(): Promise<boolean | null>;
}

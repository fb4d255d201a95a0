import { SaidError } from '../../words/sentences.ts';

/** Address of the box in the network through which it reaches everything else. */
export interface AddressSettings {
  /** From the router, by DHCP. */
  readonly isAutomatic: boolean;
  /** With the bits of its mask, such as `192.0.2.4/24`; of an automatic one: empty. */
  readonly address: string;
  /** Of an automatic address: empty. */
  readonly router: string;
  /** At most three; none: those of the router. */
  readonly nameServers: readonly string[];
}

/** An interface, with its settings. */
export interface AddressedInterface extends AddressSettings {
  /** Name of the interface, such as `eth0`. */
  readonly name: string;
}

/**
 * The address cannot be changed: no NetworkManager, no D-Bus, or it refuses. The message says
 * which.
 */
export class AddressUnavailable extends SaidError {
  override readonly name = 'AddressUnavailable';
}

/** A change that NetworkManager takes back by itself, whatever becomes of the box. */
export interface TriedAddress {
  /** Addresses of the interface now, without the bits of their masks. */
  addresses(): Promise<readonly string[]>;
  /** Throws `AddressUnavailable` where it was taken back meanwhile. */
  keep(): Promise<void>;
}

/** Each function throws `AddressUnavailable`. */
export interface AddressPort extends AsyncDisposable {
  read(): Promise<AddressedInterface>;
  /** Resolves when it is in force; after `seconds` NetworkManager takes it back. */
  try(wanted: AddressSettings, seconds: number): Promise<TriedAddress>;
}

import type {
  AuditStore,
  CatchUpStore,
  DeviceNo,
  DirectoryStore,
  JournalStore,
  Seq,
  StorePart,
  StoreReader,
  StoreWrites,
} from '../../../src/store/index.ts';

/** What a case may use of a store: the ports, whichever engine is behind them. */
export type PortStore = StorePart<StoreReader, StoreWrites> &
  JournalStore &
  DirectoryStore &
  AuditStore &
  CatchUpStore &
  AsyncDisposable;

/** A store that knows product FACE-T1 and one device of it, and nothing else. */
export interface Site {
  readonly store: PortStore;
  readonly deviceNo: DeviceNo;
  /** Appends a message of the device and returns its number. */
  report(text: string): Promise<Seq>;
}

/** One case for each write of a port: a write without a case does not compile. */
export type Cases<Writes> = { readonly [K in keyof Writes]: (it: Site) => Promise<void> };

export const at = 1_763_600_000_000;
/** The same moment in seconds. */
export const seconds = at / 1000;
export const dayMs = 24 * 3600_000;

export const bytes = (text: string): Uint8Array => Buffer.from(text);

/** What a device says with an action code of CONTRACT 4. */
export const message = (action: number, data: object): string =>
  JSON.stringify({ mid: 'm', from: 'FACE-T1_A0001', to: 'system', time: 0, action, data });

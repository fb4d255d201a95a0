import type { ActionTable } from '../platform/actions.ts';
import type { Clock, Random, UnixMs } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type {
  DeviceNo,
  DirectoryStore,
  ForwardingStore,
  JournalStore,
  RememberedStore,
  Seq,
  Store,
  Via,
} from '../store/index.ts';
import type { GivenReason, Reason } from '../words/sentences.ts';
import type { BackupsAbove } from './backups-above.ts';
import type { BoxIdentity } from './identities.ts';
import type { UplinkSummary } from './overall.ts';
import type { ReportsAbove } from './reports-above.ts';
import type { Leaving } from './staying-features.ts';
import type { Result } from './transport.ts';
import type { Trust } from './trust.ts';
import type { Uplink } from './uplink.ts';

/** CONTRACT 2 `upstream`; addresses as written there. */
export interface UpstreamConfig extends DeviceAddresses {
  readonly mode: 'per-device' | 'gateway' | 'batch';
}

/** `deviceMqtt`, `deviceHttp`: one for each transport. Batches go to the address of HTTP. */
type DeviceAddresses = {
  readonly [Name in Exclude<Via, 'batch'> as `device${Capitalize<Name>}`]?: string | undefined;
};

export interface UpstreamOptions {
  /** Config of the uplink; null if the box stands alone. */
  readonly config: UpstreamConfig | null;
  readonly trust: Trust;
  /** Needed for the modes gateway and batch. */
  readonly box: BoxIdentity | null;
  readonly store: ForwardingStore &
    JournalStore &
    DirectoryStore &
    Pick<Store, 'epoch' | 'forwarding'> &
    RememberedStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly actions: ActionTable;
  /** Where features stay at the site: what may leave it (`leavingWithout`). Null: everything. */
  readonly leaving: Leaving | null;
  /** When a record came whose time was not known then; null: it is still not known. */
  readonly trueTime: (receivedAt: UnixMs) => UnixMs | null;
  /** The cloud's own limits (SPEC 8), kept whatever the box's are. */
  readonly cloudLimits: { readonly logPerSecond: number; readonly logPerDay: number; readonly timeZone: string };
  /** Hands a message to a device or its inbox. */
  readonly fromCloud: (deviceNo: DeviceNo, payload: Uint8Array) => Promise<void>;
}

export interface OutboxSummary {
  readonly waiting: number;
  readonly oldestAt: number | null;
  readonly parked: number;
  /** Confirmed in a second, over the last ten. */
  readonly perSecond: number;
  /** Seconds until nothing waits at that rate; null when nothing moves. */
  readonly catchUpSeconds: number | null;
}

/** The uplink to the cloud. */
export interface Upstream extends AsyncDisposable {
  readonly standsAlone: boolean;
  /** Backups of this box at the box above; null: no Gatehouse stands above. */
  readonly backupsAbove: BackupsAbove | null;
  /** How this box is, told to the box above; null: no Gatehouse stands above. */
  readonly reportsAbove: Pick<ReportsAbove, 'bind'> | null;
  isUp(deviceNo: DeviceNo): boolean;
  /**
   * Waits for the session that carries this device's records. Resolves with true when it is up,
   * with false when there is none, the cloud refuses it, the uplink is down as a whole, or `signal`
   * is aborted. Never rejects.
   */
  whenUp(deviceNo: DeviceNo, signal: AbortSignal): Promise<boolean>;
  tryLogin(credentials: {
    clientId: string;
    userName: string;
    password: string;
  }): Promise<'accepted' | 'refused' | 'unreachable'>;
  /** A device came or left: in mode per-device its session at the cloud follows. */
  presence(deviceNo: DeviceNo, online: boolean): void;
  status(): Promise<{ uplink: UplinkSummary; outbox: OutboxSummary }>;
  deviceUplink(deviceNo: DeviceNo): Uplink | null;
  /** How many records of each device wait for the cloud, of those that have any. */
  waiting(): ReadonlyMap<DeviceNo, number>;
  /** Of each session that somebody else seems to have too: what staff read. */
  takenOver(): readonly Reason[];
  /**
   * Ends all sessions and lets none connect, for a drill; `why` is what the status says. Null: the
   * line is let go, and the next try connects.
   */
  cutLine(why: GivenReason | null): void;
  /**
   * Calls with each message of a device as it is sent, for a drill: it must do next to nothing.
   * Null: no longer. A record that was parked and is sent again is not told.
   */
  watchSends(watch: ((deviceNo: DeviceNo, seq: Seq) => void) | null): void;
  /**
   * Sends a log record of the box itself, of at most 4096 bytes of UTF-8, one at a time: `again` if
   * the line is down. Never rejects. Null: the box has no session of its own.
   */
  readonly sendOwnLog: ((text: string) => Promise<Result>) | null;
  /** Sends a parked record again; null: all of them. Resolves with how many. */
  sendAgain(seq: Seq | null): Promise<number>;
}

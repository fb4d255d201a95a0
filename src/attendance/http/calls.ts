import type { z } from '@hono/zod-openapi';
import type { DateText } from '../../platform/shifts.ts';
import type { Site } from '../../platform/site.ts';
import type {
  AuditStore,
  DirectoryStore,
  LevelStore,
  MirroredList,
  OrganizationStore,
  QueuedWrite,
  WholeStore,
} from '../../store/index.ts';
import type { Described } from '../../words/described.ts';
import type { Reason } from '../../words/sentences.ts';
import type { Answer } from './answers.ts';

/**
 * How long a call waits for the tables to hold what was acknowledged. With a large backlog they
 * take minutes, and the caller is told to ask again.
 */
export const levelWithinMs = 3000;

/** As the cloud lists it; `id` is its `sn` in upper case. */
export interface CloudDevice {
  readonly id: string;
  readonly sn: string;
  readonly name: string;
  readonly online: boolean;
}

export interface FeatureKind {
  readonly featureType: string;
  readonly featureAlg: string;
}

/** Context of the handlers of the calls. */
export interface CallContext {
  readonly store: OrganizationStore & AuditStore & WholeStore & LevelStore & DirectoryStore;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly isOnline: (deviceNo: number) => boolean;
  /** The name of the root department until it is given one. */
  readonly site: Pick<Site, 'name'>;
  /** Faces, fingerprints and PINs are not queued for the cloud. */
  readonly featuresStay: boolean;
  /** The cloud is the authority of the organization: what is written here is queued for it. */
  readonly cloudIsAuthority: boolean;
  /**
   * When a list was last fetched whole from the cloud; null: never, or the box is the authority.
   */
  readonly mirroredAt: (list: MirroredList) => number | null;
  /**
   * Brings a person's features of a kind from the cloud into the store; false: it cannot be asked
   * now.
   */
  readonly bringFeatures: (extId: string, kind: FeatureKind) => Promise<boolean>;
  /** The devices as the cloud lists them; null: it was never reached. */
  readonly cloudDevices: () => Promise<readonly CloudDevice[] | null>;
  /** Something waits for the cloud. */
  readonly queued: () => void;
}

/** One call as it came in. `text` is the body as it was sent. */
interface Incoming {
  readonly appKey: string;
  readonly text: string;
  /** Staff date a move otherwise than on the day of the call: the first date in the new place. */
  readonly since?: DateText | undefined;
}

/** An endpoint or a command: its body, and what it does. */
export interface AttendanceCall<Schema extends z.ZodType = z.ZodType> {
  readonly path: string;
  /** Api-Cmd; empty for the organization paths. */
  readonly command: string;
  readonly summary: Described;
  /** Of its body; absent: 64 KiB. */
  readonly bytesMax?: number;
  readonly body: Schema;
  /** A body, for /openapi.json and the samples made from it. */
  readonly example: z.input<Schema>;
  /** Schema of `data`, for /openapi.json; absent for null. */
  readonly answers?: z.ZodType;
  /** List of the cloud from whose copy the call answers, with its age. */
  readonly mirrors?: MirroredList;
  readonly run: (body: z.infer<Schema>, context: CallContext, incoming: Incoming) => Promise<Answer>;
  /**
   * Set when the call returns biometrics: whose they are, for the audit log, which counts the reads
   * of a minute in one entry.
   */
  readonly reads?: (body: z.infer<Schema>) => Reason;
  /**
   * For a caller that pages through a list: the position it asks for, and the one it was given for
   * the next page. A call that continues where the last one ended does not count against the calls
   * per second. Null: not such a list, or its end.
   */
  readonly walk?: (body: z.infer<Schema>) => string;
  readonly next?: (body: z.infer<Schema>, answer: Answer) => string | null;
}

export const call = <Schema extends z.ZodType>(one: AttendanceCall<Schema>): AttendanceCall =>
  one as unknown as AttendanceCall;

/** The write as it is passed on to the cloud; null when the box is the authority itself. */
export const forCloud = (
  { cloudIsAuthority, now }: CallContext,
  { appKey, text }: Incoming,
  to: { path: string; command?: string; subject: string; body?: string },
): QueuedWrite | null =>
  cloudIsAuthority
    ? {
        at: now(),
        caller: appKey,
        path: to.path,
        command: to.command ?? '',
        subject: to.subject,
        body: to.body ?? text,
      }
    : null;

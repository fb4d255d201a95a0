import type { ActionTable } from '../platform/actions.ts';
import { type Envelope, encodeEnvelope, parseEnvelope } from '../platform/envelope.ts';
import { fitLogRecord } from '../platform/log-record.ts';
import { isBiometric, misfitOf } from '../platform/reports.ts';
import type { Clock } from '../runtime/clock.ts';
import type { IncomingRecord, RecordMarks, Store, StoreError } from '../store/index.ts';
import type { Activation } from './activation.ts';
import type { Counters } from './counters.ts';
import type { LogQuota } from './quota.ts';
import type { Session } from './session.ts';

/**
 * What became of a message: `code` as the HTTP device hears it; over MQTT only a broken store is
 * heard.
 */
export interface Outcome {
  readonly code: number;
  readonly msg: string;
}

/** Called once: after the commit, or with the error that kept the record from being stored. */
export type OnCommitted = (error: StoreError | null, outcome: Outcome) => void;

const done: Outcome = { code: 0, msg: 'ok' };

export interface PipelineOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly actions: ActionTable;
  readonly quota: LogQuota;
  readonly counters: Counters;
  readonly activation: Activation;
  readonly logBytesMax: number;
  readonly featuresStay: boolean;
  /** Sends an envelope of the box to the device, at once or through its inbox. */
  readonly answer: (session: Session, payload: Uint8Array) => void;
  readonly note: (session: Session, kind: string, detail: string) => void;
}

/** The way of one record, the same for both gateways: check, journal, answer after the commit. */
export class Pipeline {
  readonly #options: PipelineOptions;

  constructor(options: PipelineOptions) {
    this.#options = options;
  }

  /**
   * A log record (SPEC 2.6, limits of 8). What is over a limit is dropped, acknowledged and
   * counted. `path` is `{model}/{sn}` as it was written.
   */
  log(session: Session, path: string, payload: Uint8Array, onCommitted: OnCommitted): void {
    const { quota, counters, store, clock, logBytesMax } = this.#options;
    const verdict = quota.take(session.deviceNo);
    if (verdict !== 'within') {
      counters.add(`log_${verdict}`);
      onCommitted(null, verdict === 'over_per_second' ? overPerSecond : overPerDay);
      return;
    }
    const { bytes, truncated, repaired } = fitLogRecord(payload, logBytesMax);
    const record: IncomingRecord = {
      deviceNo: session.deviceNo,
      channel: 'log',
      receivedAt: clock.now(),
      logPath: path,
      marks: truncated || repaired ? { truncated, repaired } : noMarks,
      payload: bytes,
    };
    store.journal.append(record, error => onCommitted(error, done));
  }

  /** An envelope on `device` or by push (SPEC 2.5; actions of CONTRACT 4). */
  message(session: Session, payload: Uint8Array, onCommitted: OnCommitted): void {
    const read = parseEnvelope(payload);
    if (!read.ok) {
      this.#keepUnread(session, payload, read.refusal.code === 'malformed', read.refusal.detail, onCommitted);
      return;
    }
    const envelope = read.value;
    if (envelope.from !== '' && envelope.from.toUpperCase() !== session.device.deviceId) {
      this.#options.note(session, 'foreign_sender', envelope.from.slice(0, 80));
      const msg = 'from: is another device than the one that is logged in';
      this.#answer(session, envelope, { code: 403, msg });
      onCommitted(null, { code: 403, msg });
      return;
    }
    const action = this.#options.actions.nameOf(envelope.action);
    if (action === 'activate') {
      this.#options.activation.activate(session, envelope, (marks, answered) =>
        this.#append(session, payload, marks, onCommitted, () =>
          answered().then(data => data && this.#answer(session, envelope, data)),
        ),
      );
      return;
    }
    const misfit = this.#check(action, envelope);
    if (misfit) {
      this.#append(
        session,
        payload,
        this.#stays(action, envelope) ? { invalid: true, local: true } : { invalid: true },
        error => onCommitted(error, misfit),
        () => this.#answer(session, envelope, misfit),
      );
      return;
    }
    if (action === undefined || action === 'person_sync')
      this.#append(session, payload, noMarks, onCommitted, () => {});
    else
      this.#append(session, payload, this.#stays(action, envelope) ? local : noMarks, onCommitted, () =>
        this.#answer(
          session,
          envelope,
          action === 'time_sync' ? { ...done, time: seconds(this.#options.clock) } : done,
        ),
      );
  }

  #stays(action: ReturnType<ActionTable['nameOf']>, { data }: Envelope): boolean {
    return this.#options.featuresStay && action === 'feature_report' && isBiometric(data.feature_type);
  }

  /**
   * No JSON object: kept raw and shown. An envelope whose `data` is no object: kept and forwarded.
   * Neither fills a table.
   */
  #keepUnread(
    session: Session,
    payload: Uint8Array,
    malformed: boolean,
    detail: string,
    onCommitted: OnCommitted,
  ): void {
    this.#options.counters.add(malformed ? 'message_malformed' : 'message_invalid');
    if (malformed) this.#options.note(session, 'malformed', detail);
    const outcome = { code: 400, msg: detail };
    this.#append(
      session,
      payload,
      malformed ? { quarantined: true } : { invalid: true },
      error => onCommitted(error, outcome),
      () => {},
    );
  }

  #check(action: ReturnType<ActionTable['nameOf']>, { data }: Envelope): Outcome | null {
    const msg = misfitOf(action, data);
    if (msg === null) return null;
    this.#options.counters.add('message_invalid');
    return { code: 400, msg };
  }

  #append(
    session: Session,
    payload: Uint8Array,
    marks: RecordMarks,
    onCommitted: OnCommitted,
    committed: () => unknown,
  ): void {
    const { store, clock } = this.#options;
    const { deviceNo } = session;
    store.journal.append(
      { deviceNo, channel: 'device', receivedAt: clock.now(), logPath: '', marks, payload },
      error => {
        onCommitted(error, done);
        if (!error) committed();
      },
    );
  }

  #answer(session: Session, { mid, action }: Envelope, data: object): void {
    const { clock, answer } = this.#options;
    answer(session, encodeEnvelope({ mid, from: 'system', to: session.clientId, time: seconds(clock), action, data }));
  }
}

const noMarks: RecordMarks = {};
const local: RecordMarks = { local: true };
const overPerSecond: Outcome = { code: 0, msg: 'dropped: more logs in a second than are allowed' };
const overPerDay: Outcome = { code: 0, msg: 'dropped: more logs today than are allowed' };

const seconds = (clock: Clock): number => Math.floor(clock.now() / 1000);

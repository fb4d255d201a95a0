import type { ActionName } from '../platform/actions.ts';
import { codeToForward, type Envelope, encodeEnvelope, parseEnvelope, withoutData } from '../platform/envelope.ts';
import { fitLogRecord } from '../platform/log-record.ts';
import { isBiometric, misfitOf } from '../platform/reports.ts';
import type { KnownTime } from '../runtime/known-time.ts';
import type { CommitWaiter, IncomingRecord, JournalStore, RecordMarks, StoreError } from '../store/index.ts';
import type { GivenReason } from '../words/sentences.ts';
import type { Activation } from './activation.ts';
import { ActivationMessage } from './activation-message.ts';
import type { Counters } from './counters.ts';
import type { LogQuota } from './quota.ts';
import type { Session } from './session.ts';
import { type UnreadRules, unreadStays } from './unread.ts';
import type { UpstreamView } from './upstream-view.ts';

/**
 * The result of a message. `code` is the HTTP answer's code; over MQTT a device only notices a
 * failing store.
 */
export interface Outcome {
  readonly code: number;
  readonly msg: string;
}

/** Gets the result of a message; implemented by the gateway that received it. */
export interface Receipt extends CommitWaiter {
  /**
   * Called once: after the commit, or with the error that kept the message from being stored.
   * `outcome` is undefined when the message was stored and is valid.
   */
  onCommitted(error: StoreError | null, outcome?: Outcome): void;
}

export const stored: Outcome = { code: 0, msg: 'ok' };

interface PipelineOptions extends UnreadRules {
  readonly store: JournalStore;
  readonly time: KnownTime;
  readonly quota: LogQuota;
  readonly counters: Counters;
  readonly activation: Activation;
  readonly upstream: UpstreamView;
  readonly logBytesMax: number;
  /** Sends an envelope of the box to the device, at once or through its inbox. */
  readonly answer: (session: Session, payload: Uint8Array) => void;
  readonly note: (session: Session, kind: string, detail: string | GivenReason) => void;
}

/**
 * The steps of one record, the same for both gateways: check, append to the journal, answer after
 * the commit.
 */
export class Pipeline {
  readonly #options: PipelineOptions;

  constructor(options: PipelineOptions) {
    this.#options = options;
  }

  /**
   * A log record (SPEC 2.6, limits of 8). What is over a limit is dropped, acknowledged and
   * counted. `path` is `{model}/{sn}` as it was written. `stays`: it is not forwarded.
   */
  log(session: Session, path: string, payload: Uint8Array, receipt: Receipt, stays = false): void {
    const { quota, counters, store, time, logBytesMax } = this.#options;
    const verdict = quota.take(session.deviceNo);
    if (verdict !== 'within') {
      counters.add(`log_${verdict}`);
      receipt.onCommitted(null, verdict === 'over_per_second' ? overPerSecond : overPerDay);
      return;
    }
    const { bytes, truncated, repaired } = fitLogRecord(payload, logBytesMax);
    const { at: receivedAt, isKnown } = time.received();
    const isUsual = !truncated && !repaired && !stays && isKnown;
    const record: IncomingRecord = {
      ...{ deviceNo: session.deviceNo, channel: 'log', receivedAt, logPath: path },
      marks: isUsual ? noMarks : { truncated, repaired, local: stays, clamped: !isKnown },
      payload: bytes,
    };
    store.journal.append(record, receipt);
  }

  /** An envelope on topic `device` or by push (SPEC 2.5; action codes of CONTRACT 4). */
  message(session: Session, payload: Uint8Array, receipt: Receipt): void {
    const read = parseEnvelope(payload);
    const envelope = read.ok ? read.value : withoutData(payload, read.refusal);
    if (!read.ok && read.refusal.code === 'malformed') {
      this.#keepMalformed(session, payload, envelope, { code: 400, msg: read.refusal.detail }, receipt);
      return;
    }
    if (envelope.from !== '' && envelope.from.toUpperCase() !== session.device.deviceId) {
      this.#options.note(session, 'foreign_sender', envelope.from.slice(0, 80));
      const outcome = { code: 403, msg: 'from: is another device than the one that is logged in' };
      this.answer(session, envelope, outcome);
      receipt.onCommitted(null, outcome);
      return;
    }
    const action = this.#options.actions.nameOf(envelope.action);
    if (!read.ok) {
      this.#keepWithoutData(session, payload, envelope, { code: 400, msg: read.refusal.detail }, receipt);
      return;
    }
    if (action === undefined || action === 'person_sync') {
      this.#append(session, payload, noMarks, receipt, codeToForward(envelope));
      return;
    }
    if (action === 'activate') {
      this.#activate(session, envelope, payload, receipt);
      return;
    }
    const misfit = this.#check(action, envelope);
    if (this.#isForCloud(session, action, envelope)) {
      this.#append(session, payload, misfit ? invalid : noMarks, receipt, codeToForward(envelope));
      return;
    }
    const stays = this.#stays(action, envelope) || this.#answersForCloud(action);
    const marks = misfit ? (stays ? invalidLocal : invalid) : stays ? local : noMarks;
    const waiter = new AnsweredMessage(this, session, envelope, receipt, misfit);
    this.#append(session, payload, marks, waiter, codeToForward(envelope));
  }

  /**
   * A larger activation than any device writes does not wait for the cloud: what waits is kept in
   * memory.
   */
  #activate(session: Session, envelope: Envelope, payload: Uint8Array, receipt: Receipt): void {
    const { activation } = this.#options;
    const { marks, answer } =
      payload.length > activationBytesMax
        ? activation.activate(session, envelope)
        : activation.activateHere(session, envelope, this.#appending(session, Buffer.from(payload)));
    const send = (data: object) => this.answer(session, envelope, data);
    this.#append(session, payload, marks, new ActivationMessage(receipt, answer, send));
  }

  /** Appends a message later, as received now. */
  #appending(session: Session, payload: Uint8Array): () => Promise<void> {
    const record = this.#received(session, payload, noMarks);
    return () =>
      new Promise((resolve, reject) => {
        this.#options.store.journal.append(record, { onCommitted: error => (error ? reject(error) : resolve()) });
      });
  }

  /**
   * The cloud answers it (`answered_by`), however long the line is down: the box says nothing. What
   * stays at the site never reaches the cloud.
   */
  #isForCloud(session: Session, action: ActionName, envelope: Envelope): boolean {
    const { actions, upstream } = this.#options;
    if (!actions.isAnsweredByCloud(action) || upstream.standsAlone || this.#stays(action, envelope)) return false;
    return action !== 'time_sync' || upstream.isUp(session.deviceNo);
  }

  /**
   * A question for the time that the cloud cannot be asked now: its answer would come late and set
   * a wrong clock. The box answers, and the question goes no further.
   */
  #answersForCloud(action: ActionName): boolean {
    return action === 'time_sync' && this.#options.actions.isAnsweredByCloud(action);
  }

  #stays(action: ActionName, { data }: Envelope): boolean {
    return this.#options.featuresStay && action === 'feature_report' && isBiometric(data.feature_type);
  }

  /**
   * No JSON object: kept and forwarded as it is, since the cloud may be able to read it, and shown.
   * `envelope` is a guess, for the answer.
   */
  #keepMalformed(session: Session, payload: Uint8Array, envelope: Envelope, misfit: Outcome, receipt: Receipt): void {
    const { actions, counters, note } = this.#options;
    counters.add('message_malformed');
    note(session, 'malformed', misfit.msg);
    const action = actions.nameOf(envelope.action);
    const stays = unreadStays(this.#options, session.device.deviceId, envelope);
    const isAnswered = action !== undefined && action !== 'person_sync';
    const waiter = isAnswered
      ? new AnsweredMessage(this, session, envelope, receipt, misfit)
      : new UnreadMessage(receipt, misfit);
    this.#append(session, payload, stays ? malformedLocal : malformed, waiter);
  }

  /**
   * An envelope whose `data` is no object: kept and forwarded, and answered where the box knows its
   * action. A feature report or an activation without data stays here: nobody can tell what is in
   * the one, and the cloud would make a new key for the other.
   */
  #keepWithoutData(session: Session, payload: Uint8Array, envelope: Envelope, misfit: Outcome, receipt: Receipt): void {
    const { actions, counters, featuresStay } = this.#options;
    counters.add('message_invalid');
    const action = actions.nameOf(envelope.action);
    const stays = action === 'activate' || (featuresStay && action === 'feature_report');
    if (action !== undefined && !stays && this.#isForCloud(session, action, envelope)) {
      this.#append(session, payload, invalid, receipt);
      return;
    }
    const isAnswered = action !== undefined && action !== 'person_sync';
    const waiter = isAnswered
      ? new AnsweredMessage(this, session, envelope, receipt, misfit)
      : new UnreadMessage(receipt, misfit);
    this.#append(session, payload, stays ? invalidLocal : invalid, waiter);
  }

  #check(action: ActionName, { data }: Envelope): Outcome | undefined {
    const msg = misfitOf(action, data);
    if (msg === null) return undefined;
    this.#options.counters.add('message_invalid');
    return { code: 400, msg };
  }

  #append(session: Session, payload: Uint8Array, marks: RecordMarks, waiter: CommitWaiter, code?: number): void {
    this.#options.store.journal.append(this.#received(session, payload, marks, code), waiter);
  }

  /** A message that comes now. */
  #received({ deviceNo }: Session, payload: Uint8Array, found: RecordMarks, code?: number): IncomingRecord {
    const { at: receivedAt, isKnown } = this.#options.time.received();
    const marks = isKnown ? found : { ...found, clamped: true };
    return { deviceNo, channel: 'device', receivedAt, logPath: '', marks, code, payload };
  }

  /** The answer's data for a stored message with a known action (CONTRACT 4). */
  answerOf({ action }: Pick<Envelope, 'action'>): object {
    const { actions, time } = this.#options;
    if (actions.nameOf(action) !== 'time_sync') return stored;
    return time.doubt === null ? { ...stored, time: time.stamp } : unknownToBox;
  }

  answer(session: Session, { mid, action }: Pick<Envelope, 'mid' | 'action'>, data: object): void {
    const { answer, time: known } = this.#options;
    const time = known.stamp;
    answer(session, encodeEnvelope({ mid, from: 'system', to: session.clientId, time, action, data }));
  }
}

/** A message that cannot be read, so there is nobody to answer. */
class UnreadMessage implements CommitWaiter {
  readonly #receipt: Receipt;
  readonly #outcome: Outcome;

  constructor(receipt: Receipt, outcome: Outcome) {
    this.#receipt = receipt;
    this.#outcome = outcome;
  }

  onCommitted(error: StoreError | null): void {
    this.#receipt.onCommitted(error, this.#outcome);
  }
}

/**
 * A message with a known action: its answer envelope is sent after the commit. Until then it holds
 * what that takes, and not the data of the message: thousands may wait for a commit.
 */
class AnsweredMessage implements CommitWaiter {
  readonly #pipeline: Pipeline;
  readonly #session: Session;
  readonly #mid: Envelope['mid'];
  readonly #action: Envelope['action'];
  readonly #receipt: Receipt;
  readonly #misfit: Outcome | undefined;

  constructor(pipeline: Pipeline, session: Session, envelope: Envelope, receipt: Receipt, misfit: Outcome | undefined) {
    this.#pipeline = pipeline;
    this.#session = session;
    this.#mid = envelope.mid;
    this.#action = envelope.action;
    this.#receipt = receipt;
    this.#misfit = misfit;
  }

  onCommitted(error: StoreError | null): void {
    this.#receipt.onCommitted(error, this.#misfit);
    if (error) return;
    const asked = { mid: this.#mid, action: this.#action };
    this.#pipeline.answer(this.#session, asked, this.#misfit ?? this.#pipeline.answerOf(asked));
  }
}

const activationBytesMax = 4096;
const noMarks: RecordMarks = {};
const local: RecordMarks = { local: true };
const invalid: RecordMarks = { invalid: true };
const invalidLocal: RecordMarks = { invalid: true, local: true };
const malformed: RecordMarks = { malformed: true };
const malformedLocal: RecordMarks = { malformed: true, local: true };
const unknownToBox: Outcome = { code: 503, msg: 'the box does not know the time' };
const overPerSecond: Outcome = { code: 0, msg: 'dropped: more logs in a second than are allowed' };
const overPerDay: Outcome = { code: 0, msg: 'dropped: more logs today than are allowed' };

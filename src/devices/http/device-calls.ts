import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { readDeviceJson } from '../../platform/device-json.ts';
import { limits } from '../../platform/limits.ts';
import { parseLogTopic } from '../../platform/log-topic.ts';
import { type ClaimStore, type DirectoryStore, StoreError } from '../../store/index.ts';
import type { GivenReason } from '../../words/sentences.ts';
import type { Inbox } from '../inbox.ts';
import { isOwnLog, oddModel } from '../own-log.ts';
import { type Outcome, type Pipeline, type Receipt, stored } from '../pipeline.ts';
import type { Session } from '../session.ts';
import { type Answer, json, unavailable } from './answer.ts';
import type { BoxesHeard } from './boxes-heard.ts';
import { PulledAnswers } from './pulled.ts';
import type { HttpSession, HttpSessions } from './sessions.ts';

export interface DeviceCallsOptions {
  readonly store: DirectoryStore & ClaimStore;
  readonly pipeline: Pipeline;
  readonly inbox: Inbox;
  readonly sessions: HttpSessions;
  readonly boxesHeard: BoxesHeard;
  readonly boxLogsStay: boolean;
  /** Writes down what happened to a device, for its page. */
  readonly note: (session: Session, kind: string, detail: string | GivenReason) => void;
}

/**
 * The calls that a device makes all the time, behind its session and its body (SPEC 4.2): push, log
 * and pull. Each rejects with a StoreError.
 */
export class DeviceCalls {
  readonly #options: DeviceCallsOptions;
  readonly #pulled: PulledAnswers;

  constructor(options: DeviceCallsOptions) {
    this.#options = options;
    this.#pulled = new PulledAnswers(options.inbox);
  }

  async push({ session }: HttpSession, body: Buffer): Promise<Answer> {
    const { store, pipeline } = this.#options;
    if (!(await store.claims.takeForHttp(session.deviceNo))) return atAnother();
    const answer = new AnswerAfterCommit();
    pipeline.message(session, body, answer);
    const outcome = await answer.outcome;
    return outcome === stored ? isStored : json(outcome, outcome.code === 400 && !readDeviceJson(body).ok ? 400 : 200);
  }

  /** Whether a log to `path`, `{model}/{sn}`, is one of this session's device. */
  takesLog({ session }: HttpSession, path: string): boolean {
    const log = parseLogTopic(`log/${path}`);
    return log !== null && isOwnLog(log, session);
  }

  /** The answer to a log to `path` that is not taken, before its body is read. */
  refusedLog({ session }: HttpSession, path: string): Answer {
    if (!parseLogTopic(`log/${path}`)) return json({ code: 400, msg: `${path.slice(0, 80)}: is no {model}/{sn}` }, 400);
    this.#options.note(session, 'foreign_publish', `log/${path}`.slice(0, 120));
    return json({ code: 400, msg: 'sn: is of another device than the one that is logged in' }, 400);
  }

  /** A log to `path` that is taken. */
  async log(found: HttpSession, path: string, body: Buffer): Promise<Answer> {
    const { store, pipeline, boxLogsStay } = this.#options;
    const { session } = found;
    this.#noteModel(found, path.slice(0, path.indexOf('/')));
    if (!(await store.claims.takeForHttp(session.deviceNo))) return atAnother();
    const answer = new AnswerAfterCommit();
    // Of a box below: what it says of itself.
    const stays = boxLogsStay && store.directory.boxBelow(session.device.deviceId) !== undefined;
    pipeline.log(session, path, body, answer, stays);
    const outcome = await answer.outcome;
    return outcome === stored ? isStored : json(outcome);
  }

  #noteModel(found: HttpSession, model: string): void {
    const { store, note } = this.#options;
    const { session } = found;
    const odd = oddModel({ model }, session.device, store.directory.product(session.device.productId));
    if (odd === null || odd === found.notedModel) return;
    found.notedModel = odd;
    note(session, 'log_model', odd);
  }

  /** `batchSize` as it was written; undefined: it was not. */
  async pull(
    found: HttpSession,
    batchSize: string | undefined,
    connection: Socket,
    outgoing: ServerResponse,
  ): Promise<Answer> {
    const { store, sessions, inbox, boxesHeard } = this.#options;
    if (!sessions.mayPull(found)) return tooMany();
    const asked = Math.floor(Number(batchSize ?? 1));
    const limit = Number.isInteger(asked) && asked > 1 ? Math.min(asked, limits.pullBatchMax) : 1;
    const { deviceNo, device } = found.session;
    if (store.directory.boxBelow(device.deviceId)) boxesHeard.heard(device.deviceId);
    await this.#pulled.comes(deviceNo, connection);
    const messages = await inbox.peek(deviceNo, limit);
    this.#pulled.goes(deviceNo, messages, connection, outgoing);
    const data = messages.map(({ payload }) => Buffer.from(payload).toString('utf8')).join(',');
    return { status: 200, body: `{"code":0,"msg":"ok","size":${messages.length},"data":[${data}]}` };
  }
}

/** Holds the answer to a call back until its record is committed. */
class AnswerAfterCommit implements Receipt {
  readonly #outcome = Promise.withResolvers<Outcome>();

  /** Rejects with the StoreError that kept the record from being stored. */
  get outcome(): Promise<Outcome> {
    return this.#outcome.promise;
  }

  onCommitted(error: StoreError | null, outcome: Outcome = stored): void {
    if (error) this.#outcome.reject(error);
    else this.#outcome.resolve(outcome);
  }
}

const isStored = json(stored);

/** Another process of a region may have a record of the device that it could store later. */
const atAnother = (): Answer =>
  unavailable(new StoreError('too_busy', 'another process has the device, and does not give it away'));

const tooMany = (): Answer =>
  json({ code: 429, msg: 'pulled more often than is allowed' }, 429, { 'Retry-After': '1' });

import type { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { readDeviceJson } from '../../platform/device-json.ts';
import { limits } from '../../platform/limits.ts';
import { parseLogTopic } from '../../platform/log-topic.ts';
import type { RefusalCode } from '../../platform/refusals.ts';
import { jsonTextOfBody, NotText } from '../../platform/text-body.ts';
import { takesBody } from '../../runtime/body-bound.ts';
import { readBody, TooLarge } from '../../runtime/read-body.ts';
import { type ClaimStore, type DirectoryStore, type HealthStore, StoreError } from '../../store/index.ts';
import { deviceEnds } from '../../words/device-ends.ts';
import type { GivenReason } from '../../words/sentences.ts';
import { boxNotListed, boxUsedTwice } from '../../words/uplink.ts';
import type { Admission } from '../admission.ts';
import type { Inbox } from '../inbox.ts';
import { isOwnLog, oddModel } from '../own-log.ts';
import { type Outcome, type Pipeline, type Receipt, stored } from '../pipeline.ts';
import type { RefusalLog } from '../refusal-log.ts';
import type { Session } from '../session.ts';
import { type BackupsBelow, routeBackups } from './backups.ts';
import type { BatchReceiver } from './batch.ts';
import { BatchTooLarge, BatchUnreadable, unpackBatch } from './batch-lines.ts';
import type { BoxHolders } from './box-holders.ts';
import { type BoxesHeard, routeBoxReports } from './boxes-heard.ts';
import { documentDeviceGateway } from './documents.ts';
import { PulledAnswers } from './pulled.ts';
import type { HttpSession, HttpSessions } from './sessions.ts';

interface HttpGatewayOptions {
  readonly store: DirectoryStore & HealthStore & ClaimStore;
  readonly admission: Admission;
  readonly pipeline: Pipeline;
  readonly inbox: Inbox;
  readonly sessions: HttpSessions;
  readonly batches: BatchReceiver;
  readonly holders: BoxHolders;
  readonly boxesHeard: BoxesHeard;
  readonly backups: BackupsBelow;
  readonly refusals: RefusalLog;
  /**
   * Product of boxes, as devices: a box that is not listed is shown to staff, who may approve it.
   */
  readonly boxProductId: string;
  readonly boxLogsStay: boolean;
  readonly messageBytesMax: number;
  readonly opened: (session: Session) => void;
  /** Writes down what happened to a device, for its page. */
  readonly note: (session: Session, kind: string, detail: string | GivenReason) => void;
}

type Call = Context<{ Bindings: HttpBindings }>;

/** SPEC 4.2: what is text in the body of connect. */
const connectTexts = ['clientId', 'userName', 'password'];
const connectBytesMax = 16 * 1024;
/** Of a batch that packing makes no smaller. */
const packedBatchBytesMax = limits.batchBytesMax + 64 * 1024;
const retryAfterSeconds = '5';
/** A box that waits to be approved asks again so often. */
const approvalLookedForSeconds = '30';
/** Refusals that say nothing against what was shown: the same login may be let in later. */
const triesAgain: ReadonlySet<RefusalCode> = new Set<RefusalCode>(['too_many_failures', 'too_many_new_devices']);

/** The HTTP device gateway (SPEC 4.2, 7.1) and the batch endpoint beside it. */
export function httpGateway(options: HttpGatewayOptions): OpenAPIHono<{ Bindings: HttpBindings }> {
  const { store, admission, pipeline, inbox, sessions, batches, messageBytesMax, opened, note, refusals } = options;
  const routes = new OpenAPIHono<{ Bindings: HttpBindings }>();
  documentDeviceGateway(routes as unknown as OpenAPIHono);

  const pulled = new PulledAnswers(inbox);

  const shownBy = ({ env: { incoming } }: Call): Promise<HttpSession | null> =>
    sessions.findAnywhere(incoming.headers.authorization, incoming.socket);

  /** The session of a call for this client id; null means 406. */
  const sessionOf = async (call: Call, clientId: string): Promise<HttpSession | null> => {
    const found = await shownBy(call);
    return found && found.session.device.deviceId === clientId.toUpperCase() ? found : null;
  };

  routes.notFound(call => call.json({ code: 404, msg: 'no such path' }, 404));
  routes.onError((error, call) => {
    if (error instanceof TooLarge || error instanceof BatchTooLarge)
      return call.json({ code: 413, msg: 'larger than is allowed' }, 413);
    if (error instanceof NotText) return call.json({ code: 400, msg: error.message }, 400);
    if (error instanceof StoreError) return unavailable(call, error);
    throw error;
  });

  routes.post('/api/connect/:clientId', async call => {
    const bytes = await readBody(call.env.incoming, connectBytesMax);
    jsonTextOfBody(bytes);
    const read = readDeviceJson(bytes);
    if (!read.ok) return call.json({ code: 400, msg: `the body cannot be read: ${read.refusal.detail}` }, 400);
    const body = read.value;
    const clientId = call.req.param('clientId');
    const address = call.env.incoming.socket.remoteAddress ?? '';
    const noText = connectTexts.find(name => typeof (body[name] ?? '') !== 'string');
    if (noText) {
      refusals.note({ gateway: 'http', clientId, address }, { code: 'connect_not_text', detail: noText });
      return empty(call, 406);
    }
    const named = typeof body.clientId === 'string' ? body.clientId : clientId;
    const admitted = await admission.admit({
      gateway: 'http',
      address,
      // Both name the device; where they differ in more than case neither is believed.
      clientId: named.toUpperCase() === clientId.toUpperCase() ? named : `${clientId} ${named}`,
      userName: typeof body.userName === 'string' && body.userName !== '' ? body.userName : null,
      password: typeof body.password === 'string' ? body.password : null,
    });
    if (!admitted.ok) {
      if (admitted.refusal.code === 'store_unavailable')
        return unavailable(call, new StoreError('disk_full', store.health().why));
      if (triesAgain.has(admitted.refusal.code)) return empty(call, 429, { 'Retry-After': retryAfterSeconds });
      return empty(call, 406);
    }
    const keepAlive = Number(body.keepAliveTime);
    const seconds = Number.isFinite(keepAlive) && keepAlive > 0 ? keepAlive : 60;
    const value = await sessions.open(admitted.value, seconds);
    opened(admitted.value);
    return empty(call, 200, { Authorization: value });
  });

  const disconnect = async (call: Call) => {
    const session = await sessionOf(call, call.req.param('clientId') ?? '');
    if (!session) return empty(call, 406);
    await sessions.end(session, deviceEnds.say('went_offline'));
    return call.json(stored);
  };
  routes.get('/api/disconnect/:clientId', disconnect);
  routes.post('/api/disconnect/:clientId', disconnect);

  routes.get('/api/pull/:clientId', async call => {
    const found = await sessionOf(call, call.req.param('clientId'));
    if (!found) return empty(call, 406);
    if (!sessions.mayPull(found)) return tooMany(call);
    const asked = Math.floor(Number(call.req.query('batchSize') ?? 1));
    const limit = Number.isInteger(asked) && asked > 1 ? Math.min(asked, limits.pullBatchMax) : 1;
    const { deviceNo, device } = found.session;
    if (store.directory.boxBelow(device.deviceId)) options.boxesHeard.heard(device.deviceId);
    const { incoming, outgoing } = call.env;
    await pulled.comes(deviceNo, incoming.socket);
    const messages = await inbox.peek(deviceNo, limit);
    pulled.goes(deviceNo, messages, incoming.socket, outgoing as ServerResponse);
    const data = messages.map(({ payload }) => Buffer.from(payload).toString('utf8')).join(',');
    return call.body(`{"code":0,"msg":"ok","size":${messages.length},"data":[${data}]}`, 200, {
      'content-type': 'application/json',
    });
  });

  const push = async (call: Call): Promise<Response> => {
    const found = await sessionOf(call, call.req.param('clientId') ?? '');
    if (!found) return empty(call, 406);
    const body = await readBody(call.env.incoming, messageBytesMax);
    if (!(await store.claims.takeForHttp(found.session.deviceNo))) return atAnother(call);
    const answer = new AnswerAfterCommit();
    pipeline.message(found.session, body, answer);
    const outcome = await answer.outcome;
    return call.json(outcome, outcome.code === 400 && !readDeviceJson(body).ok ? 400 : 200);
  };
  routes.post('/api/push/:clientId', takesBody(messageBytesMax, push));

  const log = async (call: Call): Promise<Response> => {
    const found = await shownBy(call);
    if (!found) return empty(call, 406);
    const { session } = found;
    const path = `${call.req.param('model')}/${call.req.param('sn')}`;
    const log = parseLogTopic(`log/${path}`);
    if (!log) return call.json({ code: 400, msg: `${path.slice(0, 80)}: is no {model}/{sn}` }, 400);
    if (!isOwnLog(log, session)) {
      note(session, 'foreign_publish', `log/${path}`.slice(0, 120));
      return call.json({ code: 400, msg: 'sn: is of another device than the one that is logged in' }, 400);
    }
    const odd = oddModel(log, session.device, store.directory.product(session.device.productId));
    if (odd !== null && odd !== found.notedModel) {
      found.notedModel = odd;
      note(session, 'log_model', odd);
    }
    const body = await readBody(call.env.incoming, messageBytesMax);
    if (!(await store.claims.takeForHttp(session.deviceNo))) return atAnother(call);
    const answer = new AnswerAfterCommit();
    // Of a box below: what it says of itself.
    const stays = options.boxLogsStay && store.directory.boxBelow(session.device.deviceId) !== undefined;
    pipeline.log(session, path, body, answer, stays);
    return call.json(await answer.outcome);
  };
  routes.post('/api/v2.0/log/:model/:sn', takesBody(messageBytesMax, log));

  const batch = async (call: Call): Promise<Response> => {
    const found = await sessionOf(call, call.req.param('clientId') ?? '');
    if (!found) return empty(call, 406);
    if (!store.directory.boxBelow(found.session.device.deviceId)) return notListed(call, found.session, options);
    const epoch = (call.req.header('batch-epoch') ?? 'default').slice(0, 64);
    const instance = (call.req.header('batch-instance') ?? '').slice(0, 64);
    const before = (call.req.header('batch-instance-before') ?? '').slice(0, 64);
    if (!(await options.holders.takes(found.session.device, { epoch, instance, before })))
      return usedTwice(call, found.session, options);
    const body = await readBody(call.env.incoming, packedBatchBytesMax);
    try {
      const lines = await unpackBatch(body, call.req.header('content-encoding') ?? '');
      const data = await batches.receive(found.session.device, epoch, lines);
      options.boxesHeard.heard(found.session.device.deviceId);
      return call.json({ ...stored, data });
    } catch (error) {
      if (error instanceof BatchUnreadable) return call.json({ code: 400, msg: error.message }, 400);
      throw error;
    }
  };
  routes.post('/api/v1.0/batch/:clientId', takesBody(packedBatchBytesMax, batch, { unpacks: true }));

  const boxOf = async (call: Call) => {
    const found = await sessionOf(call, call.req.param('clientId') ?? '');
    if (!found) return empty(call, 406);
    const { deviceId } = found.session.device;
    return store.directory.boxBelow(deviceId) ? deviceId : notListed(call, found.session, options);
  };
  routeBackups(routes, options.backups, boxOf);
  routeBoxReports(routes, options.boxesHeard, boxOf);

  return routes;
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

/**
 * Before the body is read. Not for good (CONTRACT 7): the box keeps its records and tries again,
 * for staff may approve it. A device of another product is no box: nobody is asked to approve a
 * terminal that would speak for every other one.
 */
function notListed(call: Call, { device, address }: Session, { refusals, boxProductId }: HttpGatewayOptions): Response {
  const { deviceId, productId } = device;
  if (productId !== boxProductId) {
    const msg = `${deviceId} may not send batches: they are taken from boxes, which are devices of product ${boxProductId} (box.product_id)`;
    return call.json({ code: 403, msg }, 403, { Connection: 'close' });
  }
  refusals.note({ gateway: 'http', clientId: deviceId, address }, { code: 'box_not_listed', detail: '' });
  return call.json(notTaken('box_above_does_not_list', deviceId), 403, {
    Connection: 'close',
    'Retry-After': approvalLookedForSeconds,
  });
}

/** Before the body is read, as above: both copies keep what they have, and staff decide. */
function usedTwice(call: Call, { device, address }: Session, { refusals }: HttpGatewayOptions): Response {
  const { deviceId } = device;
  refusals.note({ gateway: 'http', clientId: deviceId, address }, { code: 'box_used_twice', detail: '' });
  return call.json(notTaken('box_above_has_another', deviceId), 403, {
    Connection: 'close',
    'Retry-After': approvalLookedForSeconds,
  });
}

/** For a box below: the text for its log, and the code of the sentence that its pages show. */
const notTaken = (code: 'box_above_does_not_list' | 'box_above_has_another', id: string) => ({
  code: 403,
  msg: code === 'box_above_does_not_list' ? boxNotListed(id) : boxUsedTwice(id),
  said: { code, params: { id } },
});

/** Without its length Node sends an empty body in chunks, which small HTTP clients do not read. */
const empty = (call: Call, status: 200 | 406 | 429, headers: Record<string, string> = {}): Response =>
  call.body(null, status, { ...headers, 'Content-Length': '0' });

function unavailable(call: Call, error: StoreError): Response {
  return call.json({ code: 503, msg: error.message }, 503, { 'Retry-After': retryAfterSeconds });
}

/** Another process of a region may have a record of the device that it could store later. */
const atAnother = (call: Call): Response =>
  unavailable(call, new StoreError('too_busy', 'another process has the device, and does not give it away'));

const tooMany = (call: Call): Response =>
  call.json({ code: 429, msg: 'pulled more often than is allowed' }, 429, { 'Retry-After': '1' });

import type { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { readDeviceJson } from '../../platform/device-json.ts';
import { limits } from '../../platform/limits.ts';
import type { RefusalCode } from '../../platform/refusals.ts';
import { jsonTextOfBody, NotText } from '../../platform/text-body.ts';
import { takesBody } from '../../runtime/body-bound.ts';
import type { Direct } from '../../runtime/direct.ts';
import { readBody, TooLarge } from '../../runtime/read-body.ts';
import { type ClaimStore, type DirectoryStore, type HealthStore, StoreError } from '../../store/index.ts';
import { deviceEnds } from '../../words/device-ends.ts';
import { boxNotListed, boxUsedTwice } from '../../words/uplink.ts';
import type { Admission } from '../admission.ts';
import { stored } from '../pipeline.ts';
import type { RefusalLog } from '../refusal-log.ts';
import type { Session } from '../session.ts';
import { asResponse, empty, retryAfterSeconds, unavailable } from './answer.ts';
import { type BackupsBelow, routeBackups } from './backups.ts';
import type { BatchReceiver } from './batch.ts';
import { BatchTooLarge, BatchUnreadable, unpackBatch } from './batch-lines.ts';
import type { BoxHolders } from './box-holders.ts';
import { routeBoxReports } from './boxes-heard.ts';
import { DeviceCalls, type DeviceCallsOptions } from './device-calls.ts';
import { directly, isOf } from './direct.ts';
import { documentDeviceGateway } from './documents.ts';
import type { HttpSession } from './sessions.ts';

interface HttpGatewayOptions extends DeviceCallsOptions {
  readonly store: DirectoryStore & HealthStore & ClaimStore;
  readonly admission: Admission;
  readonly batches: BatchReceiver;
  readonly holders: BoxHolders;
  readonly backups: BackupsBelow;
  readonly refusals: RefusalLog;
  /**
   * Product of boxes, as devices: a box that is not listed is shown to staff, who may approve it.
   */
  readonly boxProductId: string;
  readonly messageBytesMax: number;
  readonly opened: (session: Session) => void;
}

type Call = Context<{ Bindings: HttpBindings }>;

/** SPEC 4.2: what is text in the body of connect. */
const connectTexts = ['clientId', 'userName', 'password'];
const connectBytesMax = 16 * 1024;
/** Of a batch that packing makes no smaller. */
const packedBatchBytesMax = limits.batchBytesMax + 64 * 1024;
/** A box that waits to be approved asks again so often. */
const approvalLookedForSeconds = '30';
/** Refusals that say nothing against what was shown: the same login may be let in later. */
const triesAgain: ReadonlySet<RefusalCode> = new Set<RefusalCode>(['too_many_failures', 'too_many_new_devices']);

interface HttpGateway {
  readonly routes: OpenAPIHono<{ Bindings: HttpBindings }>;
  readonly direct: Direct;
}

/** The HTTP device gateway (SPEC 4.2, 7.1) and the batch endpoint beside it. */
export function httpGateway(options: HttpGatewayOptions): HttpGateway {
  const { store, admission, sessions, batches, messageBytesMax, opened, refusals } = options;
  const routes = new OpenAPIHono<{ Bindings: HttpBindings }>();
  documentDeviceGateway(routes as unknown as OpenAPIHono);

  const calls = new DeviceCalls(options);

  const shownBy = ({ env: { incoming } }: Call): Promise<HttpSession | null> =>
    sessions.findAnywhere(incoming.headers.authorization, incoming.socket);

  /** The session of a call for this client id; null means 406. */
  const sessionOf = async (call: Call, clientId: string): Promise<HttpSession | null> => {
    const found = await shownBy(call);
    return found && isOf(found, clientId) ? found : null;
  };

  routes.notFound(call => call.json({ code: 404, msg: 'no such path' }, 404));
  routes.onError((error, call) => {
    if (error instanceof TooLarge || error instanceof BatchTooLarge)
      return call.json({ code: 413, msg: 'larger than is allowed' }, 413);
    if (error instanceof NotText) return call.json({ code: 400, msg: error.message }, 400);
    if (error instanceof StoreError) return asResponse(call, unavailable(error));
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
      return asResponse(call, empty(406));
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
        return asResponse(call, unavailable(new StoreError('disk_full', store.health().why)));
      if (triesAgain.has(admitted.refusal.code))
        return asResponse(call, empty(429, { 'Retry-After': retryAfterSeconds }));
      return asResponse(call, empty(406));
    }
    const keepAlive = Number(body.keepAliveTime);
    const seconds = Number.isFinite(keepAlive) && keepAlive > 0 ? keepAlive : 60;
    const value = await sessions.open(admitted.value, seconds);
    opened(admitted.value);
    return asResponse(call, empty(200, { Authorization: value }));
  });

  const disconnect = async (call: Call) => {
    const session = await sessionOf(call, call.req.param('clientId') ?? '');
    if (!session) return asResponse(call, empty(406));
    await sessions.end(session, deviceEnds.say('went_offline'));
    return call.json(stored);
  };
  routes.get('/api/disconnect/:clientId', disconnect);
  routes.post('/api/disconnect/:clientId', disconnect);

  routes.get('/api/pull/:clientId', async call => {
    const found = await sessionOf(call, call.req.param('clientId'));
    if (!found) return asResponse(call, empty(406));
    const { incoming, outgoing } = call.env;
    const pulled = calls.pull(found, call.req.query('batchSize'), incoming.socket, outgoing as ServerResponse);
    return asResponse(call, await pulled);
  });

  const push = async (call: Call): Promise<Response> => {
    const found = await sessionOf(call, call.req.param('clientId') ?? '');
    if (!found) return asResponse(call, empty(406));
    return asResponse(call, await calls.push(found, await readBody(call.env.incoming, messageBytesMax)));
  };
  routes.post('/api/push/:clientId', takesBody(messageBytesMax, push));

  const log = async (call: Call): Promise<Response> => {
    const found = await shownBy(call);
    if (!found) return asResponse(call, empty(406));
    const path = `${call.req.param('model')}/${call.req.param('sn')}`;
    if (!calls.takesLog(found, path)) return asResponse(call, calls.refusedLog(found, path));
    return asResponse(call, await calls.log(found, path, await readBody(call.env.incoming, messageBytesMax)));
  };
  routes.post('/api/v2.0/log/:model/:sn', takesBody(messageBytesMax, log));

  const batch = async (call: Call): Promise<Response> => {
    const found = await sessionOf(call, call.req.param('clientId') ?? '');
    if (!found) return asResponse(call, empty(406));
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
    if (!found) return asResponse(call, empty(406));
    const { deviceId } = found.session.device;
    return store.directory.boxBelow(deviceId) ? deviceId : notListed(call, found.session, options);
  };
  routeBackups(routes, options.backups, boxOf);
  routeBoxReports(routes, options.boxesHeard, boxOf);

  return { routes, direct: directly(sessions, calls) };
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

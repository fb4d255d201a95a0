import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '../../../src/platform/limits.ts';
import type { Clock, Random } from '../../../src/runtime/clock.ts';
import type { ApiName } from './api-faults.ts';
import type { Batches } from './batches.ts';
import type { FaultSwitches } from './faults.ts';
import type { CloudGateway, Session } from './gateway.ts';
import { bodyOf, type CloudApi, jsonOf, sendJson as send } from './http-server.ts';
import type { Identities } from './identities.ts';

interface GatewayParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly gateway: CloudGateway;
  readonly batches: Batches;
  readonly identities: Identities;
  readonly faults: FaultSwitches;
  readonly poison: (deviceId: string, topic: string, payload: Uint8Array) => boolean;
  readonly tellRefused: (clientId: string, why: string) => void;
}

interface HttpSession extends Session {
  readonly token: string;
  readonly endsAfterMs: number;
  heardAt: number;
}

const bodyBytesMax = 16 << 20;

/** SPEC 4.2 and 5.2, and the batches of CONTRACT section 5. */
export class HttpGateway implements CloudApi {
  readonly #parts: GatewayParts;
  readonly #sessions = new Map<string, HttpSession>();

  constructor(parts: GatewayParts) {
    this.#parts = parts;
  }

  serves(path: string): boolean {
    return /^\/api\/(connect|disconnect|pull|push|v2\.0\/log|v1\.0\/batch)(\/|$)/.test(path);
  }

  nameOf(): ApiName {
    return 'devices';
  }

  tooMany() {
    return { status: 429, body: { code: 429, msg: 'too many calls' } };
  }

  async serve(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const body = await bodyOf(request, bodyBytesMax);
    if (body === null) return send(response, 413, { code: 413, msg: 'too large' });
    if (this.#parts.faults.strikes('hang')) return;
    const [, verb, name, ...more] = url.pathname.split('/').slice(1).map(decode);
    if (verb === 'connect' && request.method === 'POST') return this.#connect(response, name ?? '', body);
    const session = this.#session(request);
    const ofClient =
      verb === 'pull' || verb === 'push' || verb === 'disconnect' ? name : verb === 'v1.0' ? more[0] : null;
    if (!session || (ofClient !== null && ofClient?.toUpperCase() !== session.deviceId))
      return send(response, 406, { code: 406, msg: 'connect again' });
    if (verb === 'disconnect' && request.method === 'GET') {
      session.hangUp();
      return send(response, 200, { code: 0, msg: 'ok' });
    }
    if (verb === 'pull' && request.method === 'GET') return this.#pull(response, session, url);
    if (request.method !== 'POST') return send(response, 405, { code: 405, msg: 'no such method' });
    if (verb === 'push') return this.#take(request, response, session, 'device', body);
    if (verb === 'v2.0' && name === 'log' && more.length === 2)
      return this.#take(request, response, session, `log/${more[0]}/${more[1]}`, body);
    if (verb === 'v1.0' && name === 'batch') return this.#batch(request, response, session, body);
    return send(response, 404, { code: 404, msg: 'no such path' });
  }

  #connect(response: ServerResponse, name: string, body: Buffer) {
    const { gateway, identities, faults, clock, random } = this.#parts;
    const asked = jsonOf(body);
    const clientId = String(asked?.clientId ?? '');
    const deviceId =
      clientId.toUpperCase() === name.toUpperCase()
        ? identities.login(clientId, String(asked?.userName ?? ''), String(asked?.password ?? ''))
        : null;
    const refused = faults.strikes('refuse');
    if (!deviceId || refused) {
      this.#parts.tellRefused(name, refused ? 'fault' : 'wrong credentials');
      return send(response, 406, { code: 406, msg: 'authentication failed' });
    }
    const token = Array.from({ length: 8 }, () => Math.floor(random() * 2 ** 32).toString(36)).join('');
    const seconds = Math.max(
      limits.httpSessionSecondsMin,
      limits.httpSessionPeriods * (Number(asked?.keepAliveTime) || limits.keepAliveSecondsMax),
    );
    const session: HttpSession = {
      token,
      deviceId,
      via: 'http',
      speaksForOthers: gateway.maySpeakForOthers(deviceId),
      deliver: null,
      endsAfterMs: seconds * 1000,
      heardAt: clock.monotonic(),
      hangUp: () => {
        this.#sessions.delete(token);
        gateway.leave(session);
      },
    };
    this.#sessions.set(token, session);
    gateway.enter(session);
    response.writeHead(200, { Authorization: token }).end();
  }

  #session(request: IncomingMessage): HttpSession | null {
    const session = this.#sessions.get(request.headers.authorization ?? '');
    if (!session) return null;
    const now = this.#parts.clock.monotonic();
    if (now - session.heardAt > session.endsAfterMs) {
      session.hangUp();
      return null;
    }
    session.heardAt = now;
    return session;
  }

  #pull(response: ServerResponse, session: HttpSession, url: URL) {
    const size = Math.min(limits.pullBatchMax, Math.max(1, Number(url.searchParams.get('batchSize')) || 1));
    const waiting = this.#parts.gateway.takeWaiting(session.deviceId, size);
    const data = waiting.map(payload => JSON.parse(Buffer.from(payload).toString('utf8')));
    send(response, 200, { code: 0, msg: 'ok', size: data.length, data });
  }

  #take(request: IncomingMessage, response: ServerResponse, session: HttpSession, topic: string, body: Buffer) {
    const { faults, gateway } = this.#parts;
    if (this.#parts.poison(session.deviceId, topic, body)) return send(response, 200, { code: 400, msg: 'not wanted' });
    if (faults.strikes('code')) return send(response, 200, { code: faults.inForce.codeValue, msg: 'fault' });
    const dropping = faults.strikes('drop');
    if (dropping && faults.coin()) return void request.socket.destroy();
    const { verdict, acknowledged } = gateway.receive(session, topic, body, 'http');
    if (dropping) return void request.socket.destroy();
    if (verdict === 'foreign') return send(response, 200, { code: 403, msg: 'speaks for another device' });
    if (verdict === 'malformed' || verdict === 'unknown_topic') return send(response, 200, { code: 400, msg: verdict });
    send(response, 200, { code: 0, msg: 'ok' });
    acknowledged();
  }

  #batch(request: IncomingMessage, response: ServerResponse, session: HttpSession, body: Buffer) {
    const { faults, batches } = this.#parts;
    if (!session.speaksForOthers) return send(response, 200, { code: 403, msg: 'this product sends no batches' });
    if (faults.strikes('code')) return send(response, 200, { code: faults.inForce.codeValue, msg: 'fault' });
    const dropping = faults.strikes('drop');
    if (dropping && faults.coin()) return void request.socket.destroy();
    const epoch = String(request.headers['batch-epoch'] ?? '');
    const answer = batches.receive(session, epoch, String(request.headers['content-encoding'] ?? ''), body);
    if (dropping) return void request.socket.destroy();
    if (!answer) return send(response, 400, { code: 400, msg: 'cannot be unpacked' });
    send(response, 200, { code: 0, msg: 'ok', data: answer });
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

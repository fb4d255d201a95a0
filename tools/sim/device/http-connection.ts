import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { productOf } from '../../../src/platform/device-id.ts';
import { mqttPassword } from '../../../src/platform/signature.ts';
import { type Connection, type ConnectionOptions, parseObject } from './connection.ts';

interface Answer {
  readonly status: number;
  readonly authorization: string;
  readonly body: Record<string, unknown> | null;
}

/**
 * A device over HTTP (SPEC 4.2, 5.2): one call after the other on one connection, and a pull in
 * each keep-alive period.
 */
export async function connectHttp(options: ConnectionOptions): Promise<Connection> {
  const { deviceId, outbox, clock } = options;
  const secure = options.url.startsWith('https:');
  const tls = { rejectUnauthorized: !options.insecure, ...(options.ca === undefined ? {} : { ca: options.ca }) };
  const agent = secure
    ? new HttpsAgent({ keepAlive: true, maxSockets: 2, ...tls })
    : new HttpAgent({ keepAlive: true, maxSockets: 2 });
  let authorization = '';
  const call = (method: string, path: string, body = '') =>
    new Promise<Answer>((resolve, reject) => {
      const headers = {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        ...(method === 'POST' ? { 'Content-Length': Buffer.byteLength(body) } : {}),
        ...(authorization ? { Authorization: authorization } : {}),
      };
      const send = secure ? httpsRequest : httpRequest;
      const request = send(new URL(path, options.url), { method, agent, headers, timeout: 15_000 }, response => {
        let text = '';
        response.setEncoding('utf8').on('data', chunk => {
          text += chunk;
        });
        response.on('error', reject).on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            authorization: String(response.headers.authorization ?? ''),
            body: parseObject(text),
          }),
        );
      });
      request.on('timeout', () => request.destroy(new Error('no answer within 15 s'))).on('error', reject);
      request.end(body);
    });

  const productId = productOf(deviceId);
  const login = {
    clientId: deviceId,
    userName: productId,
    password: mqttPassword({ deviceId, productId, accessKey: options.key() }),
    keepAliveTime: options.keepAliveSeconds,
  };
  const { status, authorization: value } = await call('POST', `/api/connect/${deviceId}`, JSON.stringify(login));
  if (status !== 200) throw new Error(`connect was answered ${status}`);
  authorization = value;

  const over = new AbortController();
  let finish: (why: string) => void = () => {};
  const ended = new Promise<string>(resolve => {
    finish = why => {
      over.abort();
      agent.destroy();
      resolve(why);
    };
  });
  let speaking = false;
  const speak = async () => {
    if (speaking) return;
    speaking = true;
    try {
      for (let said = outbox.take(); said && !over.signal.aborted; said = outbox.take()) {
        const path = said.channel === 'log' ? `/api/v2.0/${said.topic}` : `/api/push/${deviceId}`;
        const answer = await call('POST', path, said.text);
        const taken = answer.status === 200 && answer.body?.code === 0;
        if (!taken) return finish(`${path} was answered ${answer.status}, code ${answer.body?.code}`);
        outbox.acknowledge(said);
      }
    } catch (error) {
      finish((error as Error).message);
    } finally {
      speaking = false;
    }
  };
  const pull = async () => {
    try {
      for (;;) {
        await clock.sleep(options.keepAliveSeconds * 1000, over.signal);
        const { status: answered, body } = await call('GET', `/api/pull/${deviceId}?batchSize=20`);
        if (answered !== 200) return finish(`pull was answered ${answered}`);
        if (Array.isArray(body?.data)) for (const envelope of body.data) options.received(envelope);
      }
    } catch (error) {
      finish((error as Error).message);
    }
  };
  void speak();
  void pull();
  return {
    pump: () => void speak(),
    ended,
    close: async () => {
      if (!over.signal.aborted) await call('GET', `/api/disconnect/${deviceId}`).catch(() => {});
      finish('closed');
    },
  };
}

import { createHash } from 'node:crypto';
import { Agent, request } from 'node:https';
import mqtt, { type MqttClient } from 'mqtt';
import { type History, TerminalHistory } from './history.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

export interface TerminalIdentity {
  readonly deviceId: string;
  /** The product key, or the device key after activation. */
  readonly key: string;
}

/** A record that a terminal sent; listed in the order in which they were first sent. */
export interface Said {
  readonly channel: 'device' | 'log';
  readonly mid: string;
  readonly text: string;
  acknowledged: boolean;
}

/** A device over HTTP that has heard nothing for so long sends it again. */
const repeatedAfterMs = 10_000;

const productOf = (deviceId: string) => deviceId.slice(0, deviceId.indexOf('_'));
const serialOf = (deviceId: string) => deviceId.slice(deviceId.indexOf('_') + 1);

export const credentials = ({ deviceId, key }: TerminalIdentity) => ({
  clientId: deviceId,
  username: productOf(deviceId),
  password: md5(`${deviceId}-${productOf(deviceId)}-${key}`),
});

export function punch(deviceId: string, mid: string, person = 'e1', time = 1_763_600_000): string {
  const data = { records: [{ ext_id: person, check_type: 'fa', check_time: time }] };
  return JSON.stringify({ mid, from: deviceId, to: 'system', time: 0, action: 2001, data });
}

/**
 * Sends records one after another, each repeatedly until it is acknowledged, as a good device does.
 */
abstract class Terminal {
  readonly said: Said[] = [];
  readonly identity: TerminalIdentity;
  protected history: TerminalHistory | null = null;
  /** The text of its logs. */
  logText = (mid: string): string => JSON.stringify({ log: mid, level: 'info' });
  #count = 0;

  constructor(identity: TerminalIdentity) {
    this.identity = identity;
  }

  get deviceId(): string {
    return this.identity.deviceId;
  }

  get acknowledged(): Said[] {
    return this.said.filter(one => one.acknowledged);
  }

  /** Call it before the first login. */
  writesTo(history: History): this {
    this.history = new TerminalHistory(history, this.deviceId);
    return this;
  }

  /** Numbers its records after those of this one, which is the same terminal at another time. */
  goOnAfter(before: Terminal): void {
    this.#count = before.#count;
  }

  protected next(channel: 'device' | 'log'): Said {
    const mid = `${serialOf(this.deviceId)}-${++this.#count}`;
    const text = channel === 'device' ? punch(this.deviceId, mid, `p${this.#count}`) : this.logText(mid);
    const said: Said = { channel, mid, text, acknowledged: false };
    this.said.push(said);
    this.history?.sent(said);
    return said;
  }

  protected acknowledge(said: Said): Said {
    said.acknowledged = true;
    this.history?.acknowledged(said);
    return said;
  }
}

/** A terminal over MQTT, with mqtt.js, which repeats what had no PUBACK after a reconnect. */
export class MqttTerminal extends Terminal {
  readonly client: MqttClient;
  readonly received: { topic: string; text: string }[] = [];

  constructor(identity: TerminalIdentity, url: string, options: mqtt.IClientOptions = {}) {
    super(identity);
    this.client = mqtt.connect(url, {
      ...credentials(identity),
      clean: true,
      keepalive: 60,
      reconnectPeriod: 50,
      rejectUnauthorized: true,
      ...options,
    });
    this.client.on('error', () => {});
    this.client.on('connect', () => {
      this.history?.loggedIn();
      this.client.subscribe(`$client/${identity.deviceId}`, { qos: 0 });
    });
    this.client.on('message', (topic, payload) => this.received.push({ topic, text: payload.toString() }));
  }

  /** Resolves when it is acknowledged by PUBACK. */
  async say(channel: 'device' | 'log'): Promise<Said> {
    const said = this.next(channel);
    const product = productOf(this.deviceId);
    const topic = channel === 'device' ? 'device' : `log/${product}/${serialOf(this.deviceId)}`;
    await this.client.publishAsync(topic, said.text, { qos: 1 });
    return this.acknowledge(said);
  }

  async end(): Promise<void> {
    await this.client.endAsync(true);
  }
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

/** One HTTPS call; returns the whole answer. */
export function call(
  url: string,
  options: {
    method?: string;
    headers?: Record<string, string>;
    body?: string | Uint8Array;
    agent?: Agent;
    ca?: string;
    /** How long nothing may come; left out: as long as the test lasts. */
    timeoutMs?: number;
  },
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method: options.method ?? 'GET',
        headers: options.headers,
        agent: options.agent,
        ca: options.ca,
        timeout: options.timeoutMs,
      },
      response => {
        const chunks: Buffer[] = [];
        response.on('data', chunk => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks).toString() }),
        );
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer from ${url}`)));
    outgoing.on('error', reject);
    outgoing.end(options.body);
  });
}

/**
 * A terminal over HTTP: connects again after a 406 or no answer, and sends a record until it gets
 * 200 and code 0.
 */
export class HttpTerminal extends Terminal {
  #authorization: string | null = null;
  readonly #agent: Agent;
  readonly #base: string;
  #ended = false;

  constructor(identity: TerminalIdentity, base: string, ca: string) {
    super(identity);
    this.#base = base;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1, ca });
  }

  async connect(timeoutMs?: number): Promise<HttpAnswer> {
    const { clientId, username, password } = credentials(this.identity);
    const answer = await call(`${this.#base}/api/connect/${clientId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ clientId, userName: username, password, keepAliveTime: 30 }),
      agent: this.#agent,
      timeoutMs,
    });
    this.#authorization = answer.status === 200 ? String(answer.headers.authorization) : null;
    if (this.#authorization) this.history?.loggedIn();
    return answer;
  }

  async say(channel: 'device' | 'log'): Promise<Said> {
    const said = this.next(channel);
    while (!this.#ended) {
      try {
        if (!this.#authorization) await this.connect(repeatedAfterMs);
        const path =
          channel === 'device'
            ? `/api/push/${this.deviceId}`
            : `/api/v2.0/log/${productOf(this.deviceId)}/${serialOf(this.deviceId)}`;
        const answer = await this.ask(path, { method: 'POST', body: said.text, timeoutMs: repeatedAfterMs });
        if (answer.status === 200 && JSON.parse(answer.body).code === 0) return this.acknowledge(said);
        if (answer.status === 406) this.#authorization = null;
      } catch {
        this.#authorization = null;
      }
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    return said;
  }

  ask(path: string, options: { method?: string; body?: string; timeoutMs?: number } = {}): Promise<HttpAnswer> {
    return call(`${this.#base}${path}`, {
      ...options,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: this.#authorization ?? '',
      },
      agent: this.#agent,
    });
  }

  end(): void {
    this.#ended = true;
    this.#agent.destroy();
  }
}

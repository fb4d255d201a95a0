import { createHash, randomBytes } from 'node:crypto';
import { attendanceSignature, serviceSignature } from '../../src/platform/signature.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { httpCaller, type Trust } from '../../src/upstream/index.ts';

export interface ParityKeys {
  readonly attendance: { readonly appKey: string; readonly appSecret: string } | null;
  readonly services: { readonly appId: string; readonly appKey: string } | null;
  readonly oauth: { readonly clientId: string; readonly clientSecret: string } | null;
  readonly deviceId: string | null;
  readonly appCodes: readonly string[];
}

export interface SideAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Undefined where it is no JSON. */
  readonly body: unknown;
}

/** One call, by which both sides are asked; each with a signature of its own. */
export interface ParityCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  /** Sent as it is, in place of `body`. */
  readonly raw?: string;
  /** Api-Cmd of the attendance API. */
  readonly command?: string;
  readonly sign: 'attendance' | 'services' | 'none';
  /** Laid over the right headers; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

const timeoutMs = 20_000;
const triesWhenTooMany = 10;
const attendanceTooMany = 110;

/** A box or a cloud, called as any third party calls it. */
export class Side {
  readonly name: 'box' | 'cloud';
  readonly #caller: ReturnType<typeof httpCaller>;
  readonly #keys: ParityKeys;
  readonly #clock: Clock;

  constructor(name: 'box' | 'cloud', url: string, options: { trust: Trust; keys: ParityKeys; clock: Clock }) {
    this.name = name;
    this.#caller = httpCaller(url, { trust: options.trust, timeoutMs, takesPages: true });
    this.#keys = options.keys;
    this.#clock = options.clock;
  }

  /** Waits where it is told that it calls too often. Rejects when there is no whole answer. */
  async ask(call: ParityCall): Promise<SideAnswer> {
    for (let tries = 1; ; tries++) {
      const answer = await this.#once(call);
      const { code } = (answer.body ?? {}) as { code?: unknown };
      if ((answer.status !== 429 && code !== attendanceTooMany) || tries === triesWhenTooMany) return answer;
      await this.#clock.sleep(1000);
    }
  }

  close(): void {
    this.#caller.close();
  }

  async #once(call: ParityCall): Promise<SideAnswer> {
    const text = call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
    const headers = { ...this.#signed(call), ...call.headers };
    const {
      status,
      headers: said,
      body,
    } = await this.#caller.call(call.path, {
      method: call.method,
      headers: Object.fromEntries(
        Object.entries({
          ...headers,
          ...(text === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(text)) }),
        }).filter((pair): pair is [string, string] => pair[1] !== null),
      ),
      ...(text === undefined ? {} : { body: text }),
    });
    return { status, headers: said, body: jsonOf(body) };
  }

  #signed({ path, sign, command }: ParityCall): Record<string, string> {
    const timestamp = String(this.#clock.now());
    if (sign === 'attendance') {
      const { appKey, appSecret } = this.#keys.attendance!;
      return {
        'Content-Type': 'application/json; charset=UTF-8',
        'App-Key': appKey,
        'App-Timestamp': timestamp,
        'App-Sig': attendanceSignature({ path, timestamp, appKey, appSecret }),
        ...(command === undefined ? {} : { 'Api-Module': 'CHECKIN', 'Api-Cmd': command }),
      };
    }
    if (sign === 'none') return { 'Content-Type': 'application/json' };
    const { appId, appKey } = this.#keys.services!;
    const nonce = createHash('sha256').update(randomBytes(16)).digest('hex').slice(0, 6);
    return {
      'Content-Type': 'application/json',
      app_id: appId,
      timestamp,
      nonce,
      sig: serviceSignature({ appId, appKey, nonce, timestamp }),
    };
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

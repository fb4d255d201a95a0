import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { CloudRefused } from '../platform/cloud-refused.ts';
import { serviceSignature } from '../platform/signature.ts';
import type { Clock, Random } from '../runtime/clock.ts';

export type SendToCloud = (
  path: string,
  options: {
    readonly method: 'GET' | 'POST';
    readonly headers: Record<string, string>;
    readonly body?: string | { readonly stream: Readable; readonly bytes: number };
    readonly signal: AbortSignal;
  },
) => Promise<{ readonly status: number; readonly body: string }>;

/**
 * 401 is about this box's app_key: that is put right at the box or at the cloud, and the same call
 * then succeeds.
 */
const isFinal = (code: number): boolean => code >= 400 && code < 500 && ![401, 408, 429].includes(code);

/**
 * The public services of the cloud (SPEC 4.7), called and signed as the app of this box (SPEC 5.6).
 */
export class CloudServices {
  readonly #send: SendToCloud;
  readonly #app: { readonly appId: string; readonly appKey: string };
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(options: { send: SendToCloud; appId: string; appKey: string; clock: Clock; random: Random }) {
    this.#send = options.send;
    this.#app = options;
    this.#clock = options.clock;
    this.#random = options.random;
  }

  /**
   * Returns `data`. `stamp`: a POST that may come again with the same one is done once there.
   * Rejects with CloudRefused for a code other than 0, else with the error of the connection.
   */
  async call(
    path: string,
    {
      json,
      file,
      stamp,
      signal,
    }: {
      json?: string;
      file?: { stream: Readable; bytes: number };
      stamp?: { timestamp: number; about: string };
      signal: AbortSignal;
    },
  ): Promise<unknown> {
    const timestamp = String(stamp?.timestamp ?? this.#clock.now());
    const nonce = createHash('sha256')
      .update(stamp?.about ?? String(this.#random()))
      .digest('hex')
      .slice(0, 6);
    const { appId, appKey } = this.#app;
    const body = json ?? file;
    const { status, body: text } = await this.#send(path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        app_id: appId,
        timestamp,
        nonce,
        sig: serviceSignature({ appId, appKey, nonce, timestamp }),
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(file === undefined
          ? {}
          : { 'Content-Type': 'application/octet-stream', 'Content-Length': String(file.bytes) }),
      },
      ...(body === undefined ? {} : { body }),
      signal,
    });
    const answer = answerOf(text);
    if (!answer && status === 200) throw new Error('the answer does not come from the platform: no JSON with a code');
    if (answer?.code === 0 && status === 200) return answer.data;
    const code = status === 200 ? answer!.code : status;
    throw new CloudRefused(code, answer?.msg || `HTTP ${status}`, { isFinal: isFinal(code) });
  }
}

function answerOf(text: string): { code: number; msg: string; data: unknown } | null {
  try {
    const value = JSON.parse(text) as { code?: unknown; msg?: unknown; data?: unknown } | null;
    if (typeof value?.code !== 'number') return null;
    return { code: value.code, msg: typeof value.msg === 'string' ? value.msg : '', data: value.data };
  } catch {
    return null;
  }
}

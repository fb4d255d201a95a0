import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { CloudGateway, Session } from './gateway.ts';

interface BatchAnswer {
  readonly acked_seq: number;
  readonly refused: { seq: number; code: number; msg: string }[];
}

const bytesMax = 8 << 20;

/**
 * The receiving end of CONTRACT section 5, "Batches": keeps the highest seq of each box and epoch,
 * so that a batch sent again changes nothing.
 */
export class Batches {
  readonly #highest = new Map<string, number>();
  readonly #gateway: CloudGateway;
  /** Lines that had arrived before. */
  repeats = 0;

  constructor(gateway: CloudGateway) {
    this.#gateway = gateway;
  }

  /** Null when the body cannot be unpacked. */
  receive(session: Session, epoch: string, encoding: string, body: Uint8Array): BatchAnswer | null {
    let text: string;
    try {
      text = unpack(encoding, body).toString('utf8');
    } catch {
      return null;
    }
    const key = `${session.deviceId} ${epoch}`;
    let highest = this.#highest.get(key) ?? 0;
    const refused: BatchAnswer['refused'] = [];
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const read = readLine(line);
      if (read.seq !== null && read.seq <= highest) {
        this.repeats++;
        continue;
      }
      if (read.problem !== null) refused.push({ seq: read.seq ?? 0, code: 400, msg: read.problem });
      else {
        const from = {
          deviceId: read.deviceId as Session['deviceId'],
          speaksForOthers: false,
          through: session.deviceId,
        };
        const { verdict, acknowledged } = this.#gateway.receive(from, read.topic, read.payload, 'batch');
        if (verdict === 'recorded' || verdict === 'dropped') acknowledged();
        else refused.push({ seq: read.seq, code: 400, msg: verdict });
      }
      if (read.seq !== null) highest = read.seq;
    }
    this.#highest.set(key, highest);
    return { acked_seq: highest, refused };
  }
}

function unpack(encoding: string, body: Uint8Array): Buffer {
  if (encoding === 'zstd') return zstdDecompressSync(body, { maxOutputLength: bytesMax });
  if (encoding === 'gzip') return gunzipSync(body, { maxOutputLength: bytesMax });
  return Buffer.from(body);
}

type Line =
  | { seq: number; deviceId: string; topic: string; payload: Buffer; problem: null }
  | { seq: number | null; problem: string };

function payloadIn({ payload, payload_base64: coded }: { payload?: unknown; payload_base64?: unknown }): Buffer | null {
  if (typeof payload === 'string') return Buffer.from(payload);
  return typeof coded === 'string' ? Buffer.from(coded, 'base64') : null;
}

function readLine(line: string): Line {
  let value: Partial<Record<'seq' | 'device_id' | 'channel' | 'topic' | 'payload' | 'payload_base64', unknown>>;
  try {
    value = JSON.parse(line) ?? {};
  } catch {
    return { seq: null, problem: 'not JSON' };
  }
  const { seq, device_id, channel, topic } = value;
  const payload = payloadIn(value);
  if (typeof seq !== 'number' || !Number.isSafeInteger(seq)) return { seq: null, problem: 'seq: not a whole number' };
  if (typeof device_id !== 'string') return { seq, problem: 'device_id: not text' };
  if (payload === null) return { seq, problem: 'payload: not text' };
  if (channel === 'device') return { seq, deviceId: device_id.toUpperCase(), topic: 'device', payload, problem: null };
  if (channel !== 'log' || typeof topic !== 'string') return { seq, problem: 'channel: neither device nor log' };
  return { seq, deviceId: device_id.toUpperCase(), topic, payload, problem: null };
}

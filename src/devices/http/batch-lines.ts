import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type DeviceId, parseDeviceId } from '../../platform/device-id.ts';
import { isSpace } from '../../platform/json-bytes.ts';
import { limits } from '../../platform/limits.ts';
import { ok, type Parsed, refuse } from '../../platform/parsed.ts';
import { zstdUnpacked } from '../../runtime/zstd.ts';

const unzipped = promisify(gunzip);
/** The bound before compression. Unpacking stops there, so a compression bomb does no harm. */
const unpackedBytesMax = limits.batchBytesMax + 64 * 1024;

/**
 * The journal stores the time in six bytes. A line with a larger value would fail its whole batch
 * at every attempt.
 */
const receivedBelow = 2 ** 48;

export class BatchTooLarge extends Error {}
export class BatchUnreadable extends Error {}

/** A line of a batch (CONTRACT 5). */
export interface Line {
  readonly seq: number;
  readonly deviceId: DeviceId;
  readonly channel: 'device' | 'log';
  readonly topic: string;
  /** Undefined: the box below did not send it. */
  readonly receivedAt: number | undefined;
  readonly payload: Buffer;
}

/** Unpacks a body. Throws BatchTooLarge, or BatchUnreadable naming the encoding. */
export async function unpackBatch(body: Buffer, encoding: string): Promise<Buffer[]> {
  const name = encoding.trim().toLowerCase();
  let bytes: Buffer = body;
  if (name === 'zstd' || name === 'gzip') {
    try {
      bytes =
        name === 'zstd'
          ? await zstdUnpacked(body, unpackedBytesMax)
          : await unzipped(body, { maxOutputLength: unpackedBytesMax });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new BatchTooLarge();
      throw new BatchUnreadable(`the body is no ${name}`);
    }
  } else if (name !== '' && name !== 'identity')
    throw new BatchUnreadable(`Content-Encoding ${name}: send zstd, gzip or none`);
  if (bytes.length > unpackedBytesMax) throw new BatchTooLarge();
  const lines: Buffer[] = [];
  for (let at = 0, end = 0; at < bytes.length; at = end + 1) {
    end = bytes.indexOf(0x0a, at);
    if (end < 0) end = bytes.length;
    const line = bytes.subarray(at, end);
    if (!line.every(isSpace)) lines.push(line);
    if (lines.length > limits.batchRecordsMax) throw new BatchTooLarge();
  }
  return lines;
}

/** Reads a line. Refuses one that is not UTF-8 JSON, by its seq where that can be read. */
export function parseLine(bytes: Buffer): Parsed<Line> & { seq: number } {
  let line: Record<string, unknown>;
  try {
    line = JSON.parse(bytes.toString('utf8'));
  } catch {
    return { ...refuse('malformed', 'not JSON'), seq: 0 };
  }
  const seq = Number.isSafeInteger(line?.seq) ? (line.seq as number) : 0;
  if (!isUtf8(bytes)) return { ...refuse('malformed', 'not UTF-8'), seq };
  const bad = (detail: string) => ({ ...refuse('bad_data', detail), seq });
  if (seq <= 0) return bad('seq: must be a whole number from 1');
  const id = parseDeviceId(String(line.device_id ?? ''));
  if (!id.ok) return { ...id, seq };
  if (line.channel !== 'device' && line.channel !== 'log') return bad('channel: must be device or log');
  const payload = payloadOf(line);
  if (payload === null) return bad('payload: must be the original text');
  const receivedAt = line.received_at as number | undefined;
  if (receivedAt !== undefined && (!Number.isSafeInteger(receivedAt) || receivedAt < 0 || receivedAt >= receivedBelow))
    return bad('received_at: must be whole milliseconds since 1970');
  const topic = typeof line.topic === 'string' ? line.topic : '';
  return { ...ok({ seq, deviceId: id.value, channel: line.channel, topic, receivedAt, payload }), seq };
}

/**
 * The text; or the bytes in base64, of what is no UTF-8 and so no text. Half of a surrogate pair in
 * the text was in no bytes.
 */
function payloadOf({ payload, payload_base64: coded }: Record<string, unknown>): Buffer | null {
  if (typeof payload === 'string') return payload.isWellFormed() ? Buffer.from(payload) : null;
  return typeof coded === 'string' ? Buffer.from(coded, 'base64') : null;
}

import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { serviceLimits } from '../../../../src/platform/services.ts';
import type { Clock, Random } from '../../../../src/runtime/clock.ts';
import { ServiceRefused, unknown, wrong } from './refused.ts';

interface HeldFile {
  readonly id: string;
  readonly appId: string;
  readonly path: string;
  readonly name: string;
  readonly isPublic: boolean;
  readonly overHttps: boolean;
  readonly dueAt: number | null;
}

const monthsMax = serviceLimits.fileMonthsMax;
const filesMax = 10_000;

/** SPEC 2.8, 4.7: files in a temporary folder that is removed when the cloud ends. */
export class SimFiles {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #held = new Map<string, HeldFile>();
  #folder: string | null = null;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Takes the file of a request; its public address starts with `origin`. */
  async upload(request: IncomingMessage, query: URLSearchParams, appId: string, host: string): Promise<object> {
    if (!query.get('client')) throw wrong('client: is missing');
    const expire = query.get('expire') ?? '';
    if (expire !== '' && !/^[1-9]\d{0,14}$/.test(expire)) throw wrong('expire: milliseconds');
    if (this.#held.size >= filesMax) throw new ServiceRefused(503, 'the simulated cloud holds no more files');
    const id = Array.from({ length: 4 }, () => Math.floor(this.#random() * 2 ** 32).toString(36)).join('');
    this.#folder ??= mkdtempSync(join(tmpdir(), 'gatehouse-sim-files-'));
    const path = join(this.#folder, id);
    const name = await received(request, query.get('name') ?? '', path);
    const latest = new Date(this.#clock.now());
    latest.setUTCMonth(latest.getUTCMonth() + monthsMax);
    const file: HeldFile = {
      id,
      appId,
      path,
      name,
      isPublic: query.get('public') === 'true',
      overHttps: query.get('https') !== 'false',
      dueAt: expire === '' ? null : Math.min(this.#clock.now() + Number(expire), latest.getTime()),
    };
    this.#held.set(id, file);
    return dataOf(file, host);
  }

  find(id: string, appId: string, host: string): object {
    const file = this.#current(id);
    if (!file || (file.appId !== appId && !file.isPublic)) throw unknown('file_id: no such file');
    return dataOf(file, host);
  }

  /** The bytes behind the public link of a file; null: there is none. */
  open(id: string): Readable | null {
    const file = this.#current(id);
    return file?.isPublic ? createReadStream(file.path) : null;
  }

  close(): void {
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
  }

  #current(id: string): HeldFile | undefined {
    const file = this.#held.get(id);
    return file && (file.dueAt === null || file.dueAt > this.#clock.now()) ? file : undefined;
  }
}

/** SPEC 4.7: a file that is not public is answered with its id alone. */
const dataOf = ({ id, isPublic, overHttps, dueAt }: HeldFile, host: string) => ({
  file_id: id,
  ...(isPublic ? { public_url: `${overHttps ? 'https' : 'http'}://${host}/public/file/${id}` } : {}),
  ...(isPublic && dueAt !== null ? { due_time: String(dueAt) } : {}),
});

/** Writes the raw body, or the part `file` of a multipart body. Returns the name of the file. */
async function received(request: IncomingMessage, name: string, path: string): Promise<string> {
  const type = request.headers['content-type'] ?? '';
  if (/^application\/octet-stream\b/i.test(type)) {
    if (name === '') throw wrong('name: is missing');
    await pipeline(request, createWriteStream(path, { mode: 0o600 }));
    return name;
  }
  if (!/^multipart\/form-data\b/i.test(type)) throw wrong('Content-Type: multipart/form-data or octet-stream');
  const parser = new Busboy({
    headers: { 'content-type': type },
    limits: { files: 1, fileSize: serviceLimits.fileBytesMax },
    // A part named file is a file, whether or not it has a filename.
    isPartAFile: field => field === 'file',
  });
  const written: Promise<void>[] = [];
  let part = name;
  parser.on('file', (_field, stream, filename) => {
    part = filename || name;
    written.push(pipeline(stream, createWriteStream(path, { mode: 0o600 })));
  });
  await pipeline(request, parser);
  await Promise.all(written);
  if (written.length === 0) throw wrong('the body has no part file');
  return part;
}

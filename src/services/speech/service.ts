import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { CloudServices } from '../cloud.ts';
import { badRequest, ServiceRefused } from '../refusal.ts';
import type { SentFile } from '../send-file.ts';
import { SpeechBusy, SpeechFailed, SpeechUnavailable } from './errors.ts';
import { openSpeech, type Speech } from './speech.ts';
import { speechText } from './text.ts';

/** Fetches what an address of the cloud's answer names. */
export type Download = (url: string, bytesMax: number, signal: AbortSignal) => Promise<Uint8Array>;

interface SpeechServiceOptions {
  /** Other processes may write there too. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly cloud: CloudServices | null;
  readonly download: Download | null;
  readonly command: readonly string[] | undefined;
}

const mp3BytesMax = 4 << 20;
/** About 60 MB: 5 s each at 48 kbit/s. */
const keptMax = 2000;
const cloudMs = 4000;

/**
 * GET tts (SPEC 2.11, 4.7): the cloud's voice first, else the box's own; spoken once, and kept by
 * text and mode.
 */
export class SpeechService {
  readonly #options: SpeechServiceOptions;
  readonly #folder: string;
  readonly #speech: Speech;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(options: SpeechServiceOptions) {
    this.#options = options;
    this.#folder = options.folder;
    this.#speech = openSpeech({ clock: options.clock, log: options.log, command: options.command });
  }

  /** Returns the name of the mp3, for `find`. Throws ServiceRefused. */
  async speak(raw: string | undefined, mode: string | undefined): Promise<{ text: string; name: string }> {
    const text = speechText(raw);
    if (!text.ok) throw badRequest(`text: ${text.reason}`);
    if (mode !== undefined && mode !== '' && !/^-?\d+$/.test(mode))
      throw badRequest(`mode "${mode.slice(0, 20)}": write 0 or 1`);
    const isName = Number(mode ?? 0) === 1;
    const name = createHash('sha256')
      .update(`${isName ? 1 : 0}\0${text.value}`)
      .digest('hex')
      .slice(0, 40);
    const file = join(this.#folder, name);
    if (!(await stat(file).catch(() => null))) {
      const spoken =
        this.#underWay.get(name) ??
        this.#make(name, text.value, isName ? 1 : 0).finally(() => this.#underWay.delete(name));
      this.#underWay.set(name, spoken);
      await spoken;
    }
    return { text: text.value, name };
  }

  /** Spoken text as mp3; null if there is no such file. */
  async find(file: string): Promise<SentFile | null> {
    if (!/^[0-9a-f]{40}\.mp3$/.test(file)) return null;
    const name = file.slice(0, -4);
    const path = join(this.#folder, name);
    const found = await stat(path).catch(() => null);
    if (!found) return null;
    const now = new Date(this.#options.clock.now());
    // A requested file is touched, so that others are evicted before it.
    await utimes(path, now, now).catch(() => {});
    return { path, bytes: found.size, tag: name, name: file, contentType: 'audio/mpeg' };
  }

  close(): void {
    this.#closing.abort();
    this.#speech.close();
  }

  /** Keeps the newest. */
  async sweep(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    if (names.length <= keptMax) return;
    const ages = await Promise.all(
      names.map(async name => ({ name, at: (await stat(join(this.#folder, name)).catch(() => null))?.mtimeMs ?? 0 })),
    );
    for (const { name } of ages.toSorted((one, other) => one.at - other.at).slice(0, names.length - keptMax))
      await rm(join(this.#folder, name), { force: true });
  }

  async #make(name: string, text: string, mode: 0 | 1): Promise<void> {
    const mp3 = (await this.#fromCloud(text, mode)) ?? (await this.#own(text, mode));
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // The dot keeps it from being asked for or deleted; another process may speak the same text.
    const coming = join(this.#folder, `.${name}.${randomBytes(6).toString('hex')}`);
    try {
      await writeFile(coming, mp3, { mode: 0o600, flush: true });
      await rename(coming, join(this.#folder, name));
    } catch (error) {
      await rm(coming, { force: true });
      throw error;
    }
  }

  async #fromCloud(text: string, mode: 0 | 1): Promise<Uint8Array | null> {
    const { cloud, download, log } = this.#options;
    if (!cloud || !download) return null;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(cloudMs)]);
    try {
      const data = (await cloud.call(`/api/1.0.0/tts?${new URLSearchParams({ text, mode: String(mode) })}`, {
        signal,
      })) as {
        mp3_address?: unknown;
        url?: unknown;
      };
      const address = data?.mp3_address ?? data?.url;
      if (typeof address !== 'string') throw new Error('the answer names no mp3');
      return await download(address, mp3BytesMax, signal);
    } catch (error) {
      log.debug({ error: String(error) }, 'cloud_voice_not_available');
      return null;
    }
  }

  async #own(text: string, mode: 0 | 1): Promise<Uint8Array> {
    try {
      return (await this.#speech.speak(text, mode, this.#closing.signal)).mp3;
    } catch (error) {
      if (error instanceof SpeechBusy) throw new ServiceRefused(429, error.message, { retryAfterSeconds: 2 });
      if (error instanceof SpeechUnavailable || error instanceof SpeechFailed)
        throw new ServiceRefused(503, error.message);
      throw error;
    }
  }
}

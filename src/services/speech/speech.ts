import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { SpeechBusy, SpeechFailed } from './errors.ts';
import type { Mp3Encoder } from './mp3.ts';
import { programExists, runProgram, timeLimit } from './program.ts';
import { SpeechQueue } from './speech-queue.ts';
import { nameAsRead } from './surnames.ts';
import { cleanText } from './text.ts';
import { voicedTexts } from './voices.ts';
import { type Pcm, readWav } from './wav.ts';
import { wordsAsRead } from './words.ts';

/** A text, spoken. */
interface Spoken {
  readonly mp3: Uint8Array;
  /** How long it sounds. */
  readonly seconds: number;
}

export interface SpeechOptions {
  /**
   * A program of the site's own, with its arguments: reads the whole text as UTF-8 from its
   * standard input and writes a WAV file with 16-bit samples to its standard output. Left out:
   * espeak-ng.
   */
  readonly command?: readonly string[] | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds for one text, from its turn to its last sample; then the program is killed. */
  readonly limitMs?: number | undefined;
  /** Texts that may wait while another is spoken. */
  readonly waitingMax?: number | undefined;
}

export interface Speech {
  /**
   * Speaks a text that `speechText` has let pass. `mode` 1 is a personal name, whose surname is
   * read as one; any other is an ordinary text (SPEC 4.7 knows 0 and 1 alone). One text is spoken
   * at a time, the others wait in order. Throws `SpeechBusy` at once when too many wait,
   * `SpeechUnavailable` when the program is missing, `SpeechFailed` when it fails, is too slow, or
   * the speech is closed, and the signal's reason when that is aborted.
   */
  speak(text: string, mode: number, signal?: AbortSignal): Promise<Spoken>;
  /**
   * Whether the program is on this machine; looked up again each time, so that an installation is
   * noticed.
   */
  available(): Promise<boolean>;
  /** Kills what runs, refuses what waits and what comes. */
  close(): void;
}

const espeak = 'espeak-ng';
/** 64 characters are 20 s of sound at most; this is three minutes at 44.1 kHz. */
const outputBytesMax = 16 << 20;

/**
 * Text to speech on the box alone (SPEC 2.11, 4.7): a program that speaks, as a process, and mp3
 * made in this one.
 */
export function openSpeech({ command, clock, log, limitMs = 10_000, waitingMax = 16 }: SpeechOptions): Speech {
  const queue = new SpeechQueue(waitingMax);
  const closing = new AbortController();
  let encoder: Mp3Encoder | undefined;
  const remedy = command ? 'check the command in the config' : `apt-get install ${espeak}`;

  /**
   * One sound for each stretch of text; a site's own program gets the text as a whole, and knows
   * words itself.
   */
  async function sounds(text: string, name: boolean, signal: AbortSignal): Promise<Pcm[]> {
    const surnamed = name ? nameAsRead(text) : text;
    // A given name holds no words: only characters that the voice gets wrong are corrected.
    const parts = voicedTexts(wordsAsRead(surnamed, name ? 1 : 3));
    const runs = command
      ? [{ command, input: surnamed }]
      : parts.map(({ voice, text: part }, index) => ({
          // -b 1: UTF-8 whatever the locale says; -z: no long pause after a part that another
          // follows.
          command: [espeak, '-b', '1', '-v', voice, ...(index < parts.length - 1 ? ['-z'] : []), '--stdin', '--stdout'],
          input: part,
        }));
    const made: Pcm[] = [];
    for (const run of runs) made.push(readWav(await runProgram({ ...run, remedy, outputBytesMax }, signal)));
    return made.filter(({ channels }) => channels[0]!.length > 0);
  }

  async function spoken(text: string, name: boolean, outer: AbortSignal): Promise<Spoken> {
    using limit = timeLimit(clock, limitMs, outer);
    const made = await sounds(text, name, limit.signal);
    if (made.length === 0) throw new SpeechFailed('nothing in the text can be spoken');
    // Loaded with the first text that is spoken: most boxes never speak.
    encoder ??= await (await import('./mp3.ts')).openMp3Encoder();
    const samples = made.reduce((sum, { channels }) => sum + channels[0]!.length, 0);
    return { mp3: await encoder(made), seconds: samples / made[0]!.rate };
  }

  return {
    async speak(text, mode, signal) {
      if (queue.full) throw new SpeechBusy(queue.waiting);
      const outer = signal ? AbortSignal.any([closing.signal, signal]) : closing.signal;
      const done = await queue.take(outer);
      try {
        return await spoken(cleanText(text), mode === 1, outer);
      } catch (error) {
        if (!outer.aborted) log.warn({ reason: (error as Error).message }, 'text_not_spoken');
        throw error;
      } finally {
        done();
      }
    },
    available: () => programExists(command?.[0] ?? espeak),
    close: () => closing.abort(new SpeechFailed('closed')),
  };
}

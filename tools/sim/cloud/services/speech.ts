import { createHash } from 'node:crypto';
import { serviceLimits } from '../../../../src/platform/services.ts';
import { wrong } from './refused.ts';

const keptMax = 1000;
/** MPEG-1 layer 3, 32 kbit/s, 44.1 kHz, one channel: 26 ms of silence. */
const silentFrame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x10, 0xc4]), Buffer.alloc(100)]);
const framesPerCharacter = 8;

/** SPEC 2.11, 4.7: silence for as long as the text would take to speak. */
export class SimSpeech {
  readonly #lengths = new Map<string, number>();

  /** Returns the name of the mp3. */
  speak(text: string | null, mode: string | null): string {
    const characters = [...(text ?? '')].length;
    if (!text || text.trim() === '') throw wrong('text: is missing');
    if (characters > serviceLimits.speechCharactersMax)
      throw wrong(`text: at most ${serviceLimits.speechCharactersMax} characters`);
    if (mode && !/^-?\d+$/.test(mode)) throw wrong('mode: write 0 or 1');
    const name = createHash('sha256').update(`${mode} ${text}`).digest('hex').slice(0, 32);
    this.#lengths.set(name, characters);
    if (this.#lengths.size > keptMax) this.#lengths.delete(this.#lengths.keys().next().value!);
    return name;
  }

  find(name: string): Buffer | null {
    const characters = this.#lengths.get(name);
    if (characters === undefined) return null;
    return Buffer.concat(Array.from({ length: characters * framesPerCharacter }, () => silentFrame));
  }
}

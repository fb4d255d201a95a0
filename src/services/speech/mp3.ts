import type { Pcm } from './wav.ts';

/**
 * Samples of one channel that are encoded before others get their turn: a fifth of a second of
 * sound, about 2 ms of work.
 */
const sliceSamples = 4608;

/**
 * Encodes sounds of one rate, one after the other, as one mp3 of 48 kbit/s for each channel. One
 * call at a time.
 */
export type Mp3Encoder = (sounds: readonly Pcm[]) => Promise<Uint8Array>;

/** LAME as WebAssembly, 133 kB; its memory stays its own until the encoder is forgotten. */
export async function openMp3Encoder(): Promise<Mp3Encoder> {
  const { createMp3Encoder } = await import('wasm-media-encoders');
  const lame = await createMp3Encoder();
  return async sounds => {
    const { rate, channels } = sounds[0]!;
    const count = channels.length === 2 ? 2 : 1;
    lame.configure({ sampleRate: rate, channels: count, bitrate: count === 2 ? 96 : 48 });
    const pieces: Uint8Array[] = [];
    for (const sound of sounds)
      for (let from = 0; from < sound.channels[0]!.length; from += sliceSamples) {
        // The encoder answers with a view of its own memory, which the next call writes over.
        pieces.push(lame.encode(sound.channels.map(samples => floats(samples, from))).slice());
        await new Promise(resolve => setImmediate(resolve));
      }
    pieces.push(lame.finalize().slice());
    return new Uint8Array(Buffer.concat(pieces));
  };
}

const floats = (samples: Int16Array, from: number): Float32Array =>
  Float32Array.from(samples.subarray(from, from + sliceSamples), sample => sample / 32768);

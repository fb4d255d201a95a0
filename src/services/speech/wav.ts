import { SpeechFailed } from './errors.ts';

/** Sound as it comes from a program that speaks: 16 bits, one or two channels. */
export interface Pcm {
  /** Samples a second of one channel. */
  readonly rate: number;
  /** A list of samples from -32768 to 32767 for each channel, all of the same length. */
  readonly channels: readonly Int16Array[];
}

/**
 * Reads a WAV file with 16-bit samples. A program that writes to a pipe does not know the length
 * when it writes the header: a length beyond the end means the end. Throws `SpeechFailed`.
 */
export function readWav(file: Uint8Array): Pcm {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const tag = (at: number): string => String.fromCharCode(...file.subarray(at, at + 4));
  if (file.length < 12 || tag(0) !== 'RIFF' || tag(8) !== 'WAVE') throw new SpeechFailed('the answer is no WAV file');
  let format: { channels: number; rate: number } | undefined;
  for (let at = 12; at + 8 <= file.length; ) {
    const length = view.getUint32(at + 4, true);
    const body = at + 8;
    if (tag(at) === 'fmt ' && body + 16 <= file.length) {
      const channels = view.getUint16(body + 2, true);
      const rate = view.getUint32(body + 4, true);
      const bits = view.getUint16(body + 14, true);
      if (bits !== 16 || channels < 1 || channels > 2 || rate < 8000 || rate > 48_000)
        throw new SpeechFailed(`the answer is WAV with ${bits} bits, ${channels} channels, ${rate} Hz: not supported`);
      format = { channels, rate };
    }
    if (tag(at) === 'data') {
      if (!format) break;
      return {
        rate: format.rate,
        channels: samplesOf(file, body, Math.min(length, file.length - body), format.channels),
      };
    }
    at = body + length + (length % 2);
  }
  throw new SpeechFailed('the answer is a WAV file without sound');
}

/** As the machine has its numbers: x64 and 64-bit ARM have the lower byte first, as WAV does. */
function samplesOf(file: Uint8Array, from: number, bytes: number, channels: number): Int16Array[] {
  const count = Math.floor(bytes / 2 / channels);
  const samples = new Int16Array(count * channels);
  new Uint8Array(samples.buffer).set(file.subarray(from, from + samples.byteLength));
  if (channels === 1) return [samples];
  return Array.from({ length: channels }, (_, channel) =>
    Int16Array.from({ length: count }, (_, index) => samples[index * channels + channel]!),
  );
}

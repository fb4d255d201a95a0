/** A WAV file with these samples, channel after channel in turn. */
export function wav(
  samples: readonly number[],
  { channels = 1, rate = 22_050, bits = 16 }: { channels?: number; rate?: number; bits?: number } = {},
): Uint8Array {
  const file = Buffer.alloc(44 + samples.length * 2);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(36 + samples.length * 2, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(channels, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE((rate * channels * bits) / 8, 28);
  file.writeUInt16LE((channels * bits) / 8, 32);
  file.writeUInt16LE(bits, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(samples.length * 2, 40);
  for (const [index, sample] of samples.entries()) file.writeInt16LE(sample, 44 + index * 2);
  return new Uint8Array(file);
}

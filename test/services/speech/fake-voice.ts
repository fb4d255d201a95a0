import { existsSync, writeFileSync } from 'node:fs';
import { wav } from './wav.ts';

/**
 * A program that speaks in place of espeak-ng, and misbehaves as it is told: `fake-voice.ts <what>
 * [file]`.
 */
const [what, file] = process.argv.slice(2);
const pieces: Buffer[] = [];
for await (const piece of process.stdin) pieces.push(piece);
const text = Buffer.concat(pieces).toString();

// A tenth of a second for each character.
const sound = wav(Array.from({ length: [...text].length * 2205 }, (_, index) => Math.sin(index / 10) * 9000));

if (what === 'speak') process.stdout.write(sound);
else if (what === 'hold') {
  writeFileSync(file!, String(process.pid), { flag: 'a' });
  while (!existsSync(`${file}.go`)) await new Promise(resolve => setTimeout(resolve, 5));
  process.stdout.write(sound);
} else if (what === 'secret') process.stdout.write(process.env.GATEHOUSE_SECRET === undefined ? sound : 'it leaked');
else if (what === 'garbage') process.stdout.write('no sound');
else if (what === 'silence') process.stdout.write(wav([]));
else if (what === 'endless')
  for (;;) await new Promise(resolve => process.stdout.write(Buffer.alloc(1 << 20), resolve));
else {
  process.stderr.write('no such voice\nand more\n');
  process.exitCode = 3;
}

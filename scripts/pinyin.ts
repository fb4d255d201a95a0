import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pinyin } from 'pinyin-pro';
import { surnameReadings } from './surnames.ts';

export const pinyinFile = fileURLToPath(new URL('../src/store/people/pinyin.generated.json', import.meta.url));

const firstCode = 0x4e00;
const lastCode = 0x9fff;

/** Without tones, the usual one first; `ü` is written `v`, as on a keyboard. */
function readingsOf(character: string): string[] {
  const all = pinyin(character, { multiple: true, toneType: 'none', type: 'array', v: true });
  return [...new Set(all)].filter(one => /^[a-z]+$/.test(one));
}

/**
 * The readings of all characters of U+4E00 to U+9FFF, made from `pinyin-pro`; `search-keys.ts` says
 * how they are written.
 */
export function pinyinSource(): string {
  const readings = new Map<number, readonly string[]>();
  for (let code = firstCode; code <= lastCode; code++) readings.set(code, readingsOf(String.fromCharCode(code)));
  const syllables = [...new Set([...readings.values()].flat())].sort();
  const codeOf = new Map(syllables.map((one, index) => [one, index.toString(36).padStart(2, '0')]));
  const first = [...readings.values()].map(([one]) => (one === undefined ? '--' : codeOf.get(one)!)).join('');
  const further = [...readings]
    .filter(([, all]) => all.length > 1)
    .map(
      ([code, all]) =>
        code.toString(16) +
        all
          .slice(1)
          .map(one => codeOf.get(one))
          .join(''),
    );
  const surnames = [...surnameReadings()]
    .map(([surname, all]) => [surname, all.map(one => one.replace(/\d$/, ''))] as const)
    .filter(([surname, all]) => surname.length > 1 || readings.get(surname.charCodeAt(0))?.[0] !== all[0])
    .map(([surname, all]) => [surname, all.join(' ')]);
  const table = {
    syllables: syllables.join(' '),
    usual: first,
    further: further.join(' '),
    surnames: Object.fromEntries(surnames),
  };
  return `${JSON.stringify(table, null, 1)}\n`;
}

if (import.meta.main) writeFileSync(pinyinFile, pinyinSource());

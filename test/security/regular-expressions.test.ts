import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { analyse } from 'scslre';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Take longer than their text is, each with the bound of the text in front of it. */
const exceptions: Readonly<Record<string, string>> = {
  'tools/sim/device/devices.ts: /^(.*?)(\\d*)$/': 'a serial number in the command of the simulator',
  'src/cli/wording.ts: /\\B(?=(\\d{3})+$)/g': 'the digits of a number: 22 at most',
  'src/backups/targets/ssh-failed.ts: /[^\\x20-\\x7e]|^@+\\s*|\\s*@+$/g': 'cut to 1000 characters in front of it',
};

/** Expressions made of texts while the program runs: all of these are the program's own. */
const made: Readonly<Record<string, string>> = {
  'src/store/writer/wear.ts': 'names of counters',
  'src/store/postgres/sql.ts': 'the words of SQL that differ',
  'src/store/people/people-data.ts': 'a prefix of ids',
  'src/services/weather/short-name.ts': 'names of nationalities',
  'src/services/upgrades/package-file.ts': 'the pattern of a checksum',
  'src/platform/signature-guesses.ts': 'a number of digits',
  'src/listeners/static-files.ts': 'a tag of the pages',
  'src/admin/ui/search-question.ts': 'words of questions',
  'web-ui/src/pages/system/audit.tsx': 'ids of one answer, escaped',
};

interface Found {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

function inSources(): { readonly literals: readonly Found[]; readonly made: readonly string[] } {
  const literals: Found[] = [];
  const madeIn = new Set<string>();
  for (const file of globSync(['{src,tools}/**/*.ts', 'web-ui/**/*.{ts,tsx}'], { cwd: root })) {
    const look = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      const { regex, callee } = node as { regex?: { pattern: string; flags: string }; callee?: { name?: string } };
      if (regex) literals.push({ file, source: regex.pattern, flags: regex.flags });
      else {
        if (callee?.name === 'RegExp') madeIn.add(file);
        for (const value of Object.values(node)) look(value);
      }
    };
    look(parseAst(readFileSync(join(root, file), 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' }));
  }
  return { literals, made: [...madeIn].sort() };
}

/** Whether the time that an expression takes may grow faster than its text. */
function isSlow(source: string, flags: string): boolean {
  if (analyse({ source, flags }).reports.length > 0) return true;
  // A repetition with a bound (`\d{1,15}`) within one without is ambiguous as `\d+` would be.
  const open = source.replace(/(?<!\\[pPu])\{\d+,(\d+)\}/g, (bounded, most) => (Number(most) > 4 ? '+' : bounded));
  return open !== source && analyse({ source: open, flags }).reports.some(({ exponential }) => exponential);
}

test.each(['^([^:]+):((?:\\w+=\\d{1,15},?)*)$', '^([^#+\\0]*|\\+)(\\/([^#+\\0]*|\\+))*$', '=+$'])(
  'the checker finds %s, which was slow here',
  source => expect(isSlow(source, '')).toBe(true),
);

test('no regular expression takes longer than its text is, or the text has a bound in front of it', () => {
  const found = inSources();
  expect(found.literals.length).toBeGreaterThan(500);
  const slow = new Set<string>();
  const looked = new Map<string, boolean>();
  for (const { file, source, flags } of found.literals) {
    const written = `/${source}/${flags}`;
    const is = looked.get(written) ?? isSlow(source, flags);
    looked.set(written, is);
    if (is) slow.add(`${file}: ${written}`);
  }
  expect([...slow].sort(), 'write these so that each text is read in one way, or bound the text').toEqual(
    Object.keys(exceptions).sort(),
  );
  expect(found.made, 'expressions from texts of others are never made').toEqual(Object.keys(made).sort());
});

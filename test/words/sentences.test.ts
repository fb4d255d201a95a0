import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { inChinese, type Reason, type Table } from '../../src/words/sentences.ts';

const folder = fileURLToPath(new URL('../../src/words/', import.meta.url));
const files = globSync('**/*.ts', { cwd: folder }).filter(name => name !== 'sentences.ts');

interface Said extends Table {
  say(code: string, params: object): Reason;
}

const isTable = (value: unknown): value is Said => typeof value === 'object' && value !== null && 'texts' in value;

const tables: readonly Said[] = (
  await Promise.all(files.map(async name => Object.values((await import(`${folder}${name}`)) as object)))
)
  .flat()
  .filter(isTable);

const codes = tables.flatMap(table => Object.keys(table.texts).map(code => [code, table] as const));

/** Any parameter is a number that nobody writes, and so can be found in a sentence. */
const named = new Set<string>();
const params = new Proxy(
  {},
  {
    get: (_params, name) => {
      named.add(String(name));
      return 4711;
    },
  },
);

describe('every sentence of the box', () => {
  test.each(codes)('%s says in both languages the same values, and nothing of its code', (code, table) => {
    named.clear();
    const { reason } = table.say(code, params);
    const inEnglish = new Set(named);
    // Of a reason within the sentence: English has its text.
    if (named.has('why')) inEnglish.add('why_code');
    named.clear();
    const chinese = inChinese({ reason, code, params }, table);
    for (const text of [reason, chinese]) expect(text).not.toMatch(/undefined|NaN|\[object|\$\{/);
    expect(reason).not.toMatch(/\p{Script=Han}/u);
    expect(chinese).toMatch(/\p{Script=Han}/u);
    expect([...named].filter(name => !inEnglish.has(name))).toEqual([]);
  });

  test('has a code of its own, which is no sentence', () => {
    expect(new Set(codes.map(([code]) => code)).size).toBe(codes.length);
    expect(codes.map(([code]) => code).filter(code => !/^[a-z][a-z0-9_]*$/.test(code))).toEqual([]);
  });
});

test('no regular expression is in a file of words', () => {
  for (const name of files)
    expect(readFileSync(`${folder}${name}`, 'utf8'), name).not.toMatch(/RegExp|\.test\(|\.exec\(/);
});

/** Parts that name reasons by code alone. */
const places = [
  ...['alerts', 'devices', 'operations/doctor', 'provisioning', 'updates'],
  ...['store/postgres', 'store/writer', 'store/domains/audit'],
];
/** A call, or a field, that is given a text for people in place of a code. */
const withText =
  /(?:(?:SendFailed|SaidError|SiteDeviceFailure|UpdateRefused|kick|end|fail|lose|stall)\(\s*(?:'\w+',\s*)?(?:\{ reason: )?|\b(?:message|remedy|why): )(['"`])(?:(?!\1).)* (?:(?!\1).)* /s;

test('no sentence of people stands in the parts whose reasons are codes', () => {
  for (const place of places) {
    const path = fileURLToPath(new URL(`../../src/${place}/`, import.meta.url));
    for (const name of globSync('**/*.ts', { cwd: path }))
      expect(readFileSync(`${path}${name}`, 'utf8'), `${place}/${name}`).not.toMatch(withText);
  }
});

/** A reason of the box that is told apart by its English. */
const byEnglish =
  /\.test\((?:\w+\??\.)*(?:why|reason|message|detail)\)|\b(?:why|reason|message|detail)(?: [!=]== |\.(?:includes|startsWith|endsWith|match)\()['/][^'/]* /;

test('no page, and no part that reads reasons of others, knows a sentence by its English', () => {
  for (const place of ['web-ui/src', 'src/admin', 'src/alerts', 'src/box', 'src/events', 'src/platform']) {
    const path = fileURLToPath(new URL(`../../${place}/`, import.meta.url));
    for (const name of globSync('**/*.{ts,tsx}', { cwd: path }))
      expect(readFileSync(`${path}${name}`, 'utf8'), `${place}/${name}`).not.toMatch(byEnglish);
  }
});

test('a code of a newer box is said in English', () => {
  expect(inChinese({ reason: 'of tomorrow', code: 'of_tomorrow', params: {} }, ...tables)).toBe('of tomorrow');
  expect(inChinese({ reason: 'without a code' }, ...tables)).toBe('without a code');
});

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { identifiersOf } from './support/house/identifiers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Words that had several meanings, and what is written for each: `turn` is lease, slice, queue or
 * batch; `flight` is a statement, but for records in flight. `standing` is what wants a person.
 */
const refused = /^(?:turns?|flights?)$/;

/** The one name that is left: a verb. */
const left: readonly string[] = ['turns_direction'];

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _#]/);

const isRefused = (name: string): boolean =>
  wordsOf(name).some((word, place, all) => refused.test(word) && !(word === 'flight' && all[place - 1] === 'in'));

const files = globSync('{src,web-ui/src}/**/*.{ts,tsx}', { cwd: root }).filter(file => !file.includes('.generated.'));
const namesIn = new Map(files.map(file => [file, new Set(identifiersOf(readFileSync(join(root, file), 'utf8')))]));

test('identifiers are found behind templates, regular expressions and elements', () => {
  const text =
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a program.
    'const a = `x ${b({ c: 1 })} y ${`in ${d}`} z`; e(/[`\'"]/.test(f) / g); // h\n<p class="k">{l}</p>; this.#m;';
  expect(identifiersOf(text)).toEqual(['a', 'b', 'c', 'd', 'e', 'test', 'f', 'g', 'p', 'l', 'p', 'm']);
});

test('a word of the code has one meaning', () => {
  const names = new Set([...namesIn.values()].flatMap(all => [...all]));
  expect([...names].filter(isRefused).toSorted()).toEqual(left);
});

/** Rooms in which a name says `event` or `line`, and how many names do at most: a number only becomes less. */
const meant = {
  event: {
    'web-ui': 9,
    words: 1,
    upstream: 5,
    store: 11,
    services: 1,
    provisioning: 4,
    platform: 4,
    listeners: 1,
    events: 16,
    devices: 5,
    config: 2,
    cli: 7,
    box: 12,
    attendance: 8,
    alerts: 1,
    admin: 21,
    accounts: 2,
  },
  line: {
    'web-ui': 32,
    words: 1,
    upstream: 9,
    store: 7,
    standing: 1,
    services: 5,
    runtime: 9,
    provisioning: 3,
    platform: 12,
    operations: 14,
    events: 5,
    devices: 5,
    config: 7,
    cli: 22,
    box: 9,
    backups: 5,
    attendance: 19,
    alerts: 5,
    'admin-client': 5,
    admin: 36,
    accounts: 1,
  },
} as const satisfies Record<string, Readonly<Record<string, number>>>;

/** Names of the platform: DOM, Node, and a line number of a file. */
const ofOthers =
  /^(?:(?:add|remove)EventListener|EventTarget|\w*(?:Keyboard|Pointer|Submit|Message)Event|EventEmitter|eventLoopUtilization|EventSource)$/;

test.each(['event', 'line'] as const)('names that say %s do not spread', word => {
  const counts = new Map<string, Set<string>>();
  for (const [file, names] of namesIn) {
    const room = file.startsWith('web-ui/') ? 'web-ui' : file.split('/')[1]!;
    const own = counts.get(room) ?? new Set();
    for (const name of names)
      if (!ofOthers.test(name) && wordsOf(name).some(one => one === word || one === `${word}s`)) own.add(name);
    if (own.size > 0) counts.set(room, own);
  }
  const most: Readonly<Record<string, number>> = meant[word];
  expect([...counts].filter(([room, { size }]) => size > (most[room] ?? 0))).toEqual([]);
});

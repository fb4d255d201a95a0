import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Words that had several meanings, and what is written for each: `turn` is lease, slice, queue or
 * batch; `flight` is a statement, but for records in flight; `standing` is a state.
 */
const refused = /^(?:turns?|flights?|standing)$/;

/** Names that are left. The list only becomes shorter. */
const left: readonly string[] = [
  'BackupStanding',
  'Flight',
  'FlightSegment',
  'ImportTurn',
  'RequestTurns',
  'RequestTurnsOptions',
  'Standing',
  'StandingParts',
  'Turns',
  'appendFlight',
  'eraseTurnsMax',
  'flight',
  'flightBytesMax',
  'flightNo',
  'flightPlace',
  'flights',
  'inTurn',
  'ofTurn',
  'openingFlights',
  'readInTurn',
  'requestTurns',
  'sentInTurn',
  'standing',
  'standingAlone',
  'takeInTurn',
  'turn',
  'turnBytesMax',
  'turnDay',
  'turns',
  'turns_direction',
  'waitsForTurn',
  'watchTurn',
];

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _#]/);

const isRefused = (name: string): boolean =>
  wordsOf(name).some((word, place, all) => refused.test(word) && !(word === 'flight' && all[place - 1] === 'in'));

test('a word of the code has one meaning', () => {
  const files = globSync('{src,web-ui/src}/**/*.{ts,tsx}', { cwd: root }).filter(file => !file.includes('.generated.'));
  const names = files.flatMap(
    file =>
      readFileSync(join(root, file), 'utf8')
        .replace(/\/\*[\s\S]*?\*\/|\/\/.*|`[^`]*`|'[^'\n]*'/g, '')
        .match(/[\w$]+/g) ?? [],
  );
  expect([...new Set(names)].filter(isRefused).toSorted()).toEqual(left);
});

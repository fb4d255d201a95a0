import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { logMessages } from '../support/log-messages.ts';

const words = readFileSync(new URL('../../web-ui/src/pages/logs/box-messages.ts', import.meta.url), 'utf8');
const known = [...words.matchAll(/^ {2}'([^']+)':/gm)].map(([, text]) => text!);

test('the page Logs says in Chinese what the box logs, and knows no line that is gone', () => {
  expect(known.length).toBeGreaterThan(80);
  expect(known.toSorted()).toEqual(logMessages());
});

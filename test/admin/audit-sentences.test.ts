import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import golden from './openapi.golden.json' with { type: 'json' };

const words = readFileSync(new URL('../../web-ui/src/pages/system/audit-actions.ts', import.meta.url), 'utf8');

/** What is asked before anybody is signed in is written down in the box's own words. */
const ownWords = new Set(['POST /session', 'DELETE /session', 'POST /first-account']);

test('every change of the admin API is a sentence in the audit log, in both languages', () => {
  const changes = Object.entries(golden.paths as Record<string, object>)
    .filter(([path]) => path.startsWith('/admin/v1'))
    .flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter(method => method !== 'get')
        .map(method => `${method.toUpperCase()} ${path.slice('/admin/v1'.length)}`),
    )
    .filter(change => !ownWords.has(change));
  expect(changes.length).toBeGreaterThan(40);
  expect(changes.filter(change => words.split(`'${change}':`).length !== 3)).toEqual([]);
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configKeys, FileRefused, loadConfig, readSiteFile } from '../../src/config/index.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-any-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Why it is refused as a config file and as a site file; empty for what is accepted. */
function refusalsOf(bytes: string | Uint8Array): string[] {
  writeFileSync(join(folder, 'file.yaml'), bytes);
  return [
    () => loadConfig({ file: 'file.yaml', env: {}, cwd: folder }),
    () => readSiteFile('file.yaml', folder),
  ].flatMap(read => {
    try {
      read();
      return [];
    } catch (error) {
      expect(error).toBeInstanceOf(FileRefused);
      return [(error as Error).message];
    }
  });
}

/** Accepted or refused, and a refusal says where. */
function readBoth(bytes: string | Uint8Array): void {
  for (const refusal of refusalsOf(bytes)) expect(refusal).toMatch(/^(file\.yaml(:\d+:\d+)?|config)[: ]/);
}

test('any bytes at all are accepted or refused, never a crash', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), readBoth), { numRuns: 200 });
});

test('any YAML-like text is accepted or refused, never a crash', () => {
  const words = fc.constantFrom(
    'listen',
    'products',
    'mqtts',
    ':',
    ' ',
    '\n',
    '  ',
    '- ',
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '*a',
    '&a',
    '!!map',
    '|',
    '? ',
    '#',
    '\t',
    '0',
    'off',
    '~',
    '<<',
  );
  fc.assert(
    fc.property(
      fc.array(words, { maxLength: 40 }).map(parts => parts.join('')),
      readBoth,
    ),
    { numRuns: 500 },
  );
});

test('any value at any key is accepted or refused, never a crash', () => {
  const key = fc.constantFrom(...configKeys.map(({ path }) => path));
  fc.assert(
    fc.property(key, fc.jsonValue({ maxDepth: 3 }), (path, value) => {
      readBoth(JSON.stringify(path.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value)));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['nested far too deeply', '['.repeat(10_000), 'nested too deeply'],
  [
    'aliases that multiply',
    `a: &a [x,x,x,x,x,x,x,x,x,x]\n${[...'bcdefghij'].map((name, at) => `${name}: &${name} [${`*${'abcdefghij'[at]},`.repeat(10)}]\n`).join('')}`,
    'Excessive alias count',
  ],
  ['a NUL', 'a: \0', 'NUL bytes'],
  ['a key that is a map', '{ a: b }: c', 'unknown key'],
])('%s is refused with the reason', (_name, text, reason) => {
  expect(refusalsOf(text)).toEqual([expect.stringContaining(reason), expect.stringContaining(reason)]);
});

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { configKeys, configReference } from '../../src/config/index.ts';

const page = (name: string) => readFileSync(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), 'utf8');

test('docs/config.md says what the schema says: run bin/node scripts/config-reference.ts', () => {
  expect(page('config.md')).toBe(configReference());
});

test('every key of the config is described', () => {
  for (const { path, meta } of configKeys) expect(meta.description, path.join('.')).toMatch(/\w/);
});

test('the pages of commands list every command', () => {
  const text = page('operating/commands.md') + page('operating/more-commands.md');
  for (const { name } of commands) expect(text).toContain(`\`gatehouse ${name}`);
});

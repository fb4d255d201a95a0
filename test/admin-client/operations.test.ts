import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { generatedOperations, operationsFile } from '../../scripts/operations.ts';

test('the commands know every operation of the admin API as it is: `npm run operations` writes it down', async () => {
  expect(await readFile(operationsFile, 'utf8')).toBe(generatedOperations());
});

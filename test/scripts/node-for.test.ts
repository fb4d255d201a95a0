import { expect, test } from 'vitest';
import { type Arch, nodeFor } from '../../scripts/node-for.ts';

test('the Node of this machine is the installed one', async () => {
  expect(await nodeFor(process.arch as Arch)).toMatch(new RegExp(`/node_modules/node-linux-${process.arch}$`));
});

import { expect, test } from 'vitest';
import { type Arch, hold, nodeFor } from '../../scripts/node-for.ts';

test('the Node of this machine is the installed one', async () => {
  expect(await nodeFor(process.arch as Arch)).toMatch(new RegExp(`/node_modules/node-linux-${process.arch}$`));
});

test('a Node that is not the one of package-lock.json is refused', () => {
  const integrity = 'sha512-7iaw3Ur350mqGo7jwQrpkj9hiYB3Lkc/iBml1JQODbJ6wYX4oOHV+E+IvIh/1nsUNzLDBMxfqa2Ob1f1ACio/w==';
  expect(() => hold('node', Buffer.from('test'), integrity)).not.toThrow();
  expect(() => hold('node', Buffer.from('other'), integrity)).toThrow('node is not what package-lock.json holds');
});

import { expect, test } from 'vitest';
import { fetchedPackages, hold } from '../../scripts/fetched-package.ts';

test('a package that is not the pinned one is refused', () => {
  const integrity = 'sha512-7iaw3Ur350mqGo7jwQrpkj9hiYB3Lkc/iBml1JQODbJ6wYX4oOHV+E+IvIh/1nsUNzLDBMxfqa2Ob1f1ACio/w==';
  expect(() => hold('node', Buffer.from('test'), integrity)).not.toThrow();
  expect(() => hold('node', Buffer.from('other'), integrity)).toThrow('node is not what is pinned');
});

test('each package that is fetched when it is needed is pinned by version and hash', () => {
  for (const { version, integrity } of Object.values(fetchedPackages)) {
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    expect(Buffer.from(integrity.replace('sha512-', ''), 'base64')).toHaveLength(64);
  }
});

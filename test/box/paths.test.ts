import { expect, test } from 'vitest';
import { pathOwners } from '../../src/box/paths.ts';

test('no row of the table of paths is hidden by one above it', () => {
  const hidden = pathOwners.filter(([path], at) =>
    pathOwners.slice(0, at).some(([above]) => path === above || path.startsWith(`${above}/`)),
  );
  expect(hidden).toEqual([]);
});

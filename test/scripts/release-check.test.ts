import { expect, test } from 'vitest';
import { type ReleaseFacts, refusalOf } from '../../scripts/release-check.ts';

/** Refusals of `npm run release`, before it builds anything. */

const good: ReleaseFacts = {
  ...{ version: '1.0.0', changes: [], head: 'a'.repeat(40), tagged: 'a'.repeat(40), tagsHere: ['v1.0.0'] },
  ...{ released: ['1.0.0'], made: false, arch: 'x64', missing: [], withImages: true, isRoot: true },
};

test('a clean checkout of the tag of its version, with a heading in the changelog, is released', () => {
  expect(refusalOf(good)).toBeNull();
  expect(refusalOf({ ...good, isRoot: false, withImages: false })).toBeNull();
});

const cases: readonly (readonly [code: string, facts: Partial<ReleaseFacts>, says: string, remedy: string])[] = [
  [
    'not_clean',
    { changes: ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts'] },
    'the checkout differs from its commit: a.ts, b.ts, c.ts and 2 more',
    'commit the changes, or put them aside with git stash --include-untracked',
  ],
  [
    'wrong_version',
    { tagged: null, tagsHere: ['v1.0.1'] },
    'the tag is v1.0.1, and package.json says 1.0.0',
    'npm version --no-git-tag-version NUMBER, commit, and set the tag on that commit',
  ],
  [
    'no_tag',
    { tagged: null, tagsHere: [] },
    'package.json says 1.0.0, and there is no tag v1.0.0',
    'git tag -a v1.0.0 -m "Gatehouse 1.0.0"',
  ],
  [
    'tag_elsewhere',
    { tagged: 'b'.repeat(40), tagsHere: [] },
    'v1.0.0 is on bbbbbbbbbbbb, the checkout is at aaaaaaaaaaaa',
    'git switch --detach v1.0.0',
  ],
  [
    'no_heading',
    { released: ['0.9.0'] },
    'CHANGELOG.md has no heading "## 1.0.0"',
    'give the heading of the coming release its number, commit, and set the tag on that commit',
  ],
  ['made_already', { made: true }, 'dist/release/1.0.0 is there already', 'delete or move the folder'],
  [
    'wrong_machine',
    { arch: 'arm64' },
    'this machine is arm64: what is made for arm64 and x64 is made on x86_64 alone',
    'use an x86_64 machine',
  ],
  [
    'programs_missing',
    {
      missing: [
        ['rauc', 'rauc'],
        ['mksquashfs', 'squashfs-tools'],
      ],
    },
    'missing here: rauc, mksquashfs',
    'apt-get install rauc squashfs-tools',
  ],
  [
    'not_root',
    { isRoot: false },
    'the files of an image belong to many users, so only root can make one',
    'run this as root, or with --without-images',
  ],
];

test.each(cases)('%s', (code, facts, says, remedy) => {
  expect(refusalOf({ ...good, ...facts })).toEqual({ code, says, remedy });
});

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ThrowAwayCheckout } from '../support/throw-away-checkout.ts';

/** `npm run release` in checkouts that cannot be released; `release.nightly.test.ts` makes releases. */

test('what is not a clean checkout of the tag of its version is refused, with the reason and what to do', () => {
  using checkout = new ThrowAwayCheckout();
  const refused = (...words: string[]): string => {
    const script = ['scripts/release.ts', '--without-images', ...words];
    const { status, stdout, stderr } = spawnSync(process.execPath, script, { cwd: checkout.folder, encoding: 'utf8' });
    expect({ status, stdout }, stderr).toEqual({ status: 1, stdout: '' });
    return stderr;
  };
  const { version } = checkout;
  expect(refused()).toBe(
    `release: no_tag: package.json says ${version}, and there is no tag v${version}\n  git tag -a v${version} -m "Gatehouse ${version}"\n`,
  );
  checkout.tag('v77.0.0');
  expect(refused()).toContain(`release: wrong_version: the tag is v77.0.0, and package.json says ${version}\n`);
  checkout.tag(`v${version}`);
  writeFileSync(join(checkout.folder, 'left-over.txt'), '');
  checkout.edit('package.json', text => `${text}\n`);
  expect(refused()).toContain(
    'release: not_clean: the checkout differs from its commit: package.json, left-over.txt\n',
  );
  checkout.commit('more');
  expect(refused()).toMatch(
    new RegExp(`^release: tag_elsewhere: v${version} is on [0-9a-f]{12}, the checkout is at [0-9a-f]{12}\n`),
  );
  checkout.edit('CHANGELOG.md', text => text.replace(`## ${version}`, '## Unreleased'));
  checkout.commit('no heading');
  checkout.git('tag', '--delete', `v${version}`);
  checkout.tag(`v${version}`);
  expect(refused()).toContain(`release: no_heading: CHANGELOG.md has no heading "## ${version}"\n`);
});

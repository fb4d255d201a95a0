import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { suiteNeeding } from '../support/tools.ts';
import { freshDebianCases, type Packaging, packaging } from './deb.cases.ts';

/** The package that is handed out, with the program in it: one build for lintian and for Debian. */

// The program takes a minute to compress, and lintian minutes to read it.
vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 1_200_000 });

let packages: Packaging;
beforeAll(async () => {
  packages = await packaging(process.env.GATEHOUSE_BINARY!);
});
afterAll(() => packages?.[Symbol.asyncDispose]());

suiteNeeding('lintian', 'lintian', 'the package, read by lintian', () => {
  test('has no errors', async () => {
    const deb = await packages.build('amd64');
    const { stdout } = spawnSync('lintian', ['--allow-root', '--fail-on=none', deb], { encoding: 'utf8' });
    expect(stdout.split('\n').filter(line => /^E:/.test(line))).toEqual([]);
  });
});

freshDebianCases(() => packages);

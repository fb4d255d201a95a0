import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildDeb } from '../../scripts/build-deb.ts';
import { suiteNeeding } from '../support/tools.ts';
import { freshDebianCases, type Packaging, packaging } from './deb.cases.ts';

/**
 * The package, with a stand-in for the program. `deb.nightly.test.ts` installs the program itself,
 * which takes a minute to compress.
 */

let packages: Packaging;
beforeAll(async () => {
  packages = await packaging(null);
});
afterAll(() => packages?.[Symbol.asyncDispose]());

suiteNeeding('dpkg-deb', 'dpkg', 'the package', () => {
  test('two builds of one commit are identical', async () => {
    const sums = [];
    for (const into of ['first', 'second'])
      sums.push(
        createHash('sha256')
          .update(await readFile(await packages.build('arm64', into)))
          .digest('hex'),
      );
    expect(sums[0]).toBe(sums[1]);
  });

  test('without the binary it is not built, and it is said how that is made', async () => {
    await expect(buildDeb({ architecture: 'arm64', binaries: packages.folder, into: packages.folder })).rejects.toThrow(
      'gatehouse-linux-arm64: npm run build:binary -- --arch arm64',
    );
  });

  test('names its architecture, what it needs and its conffiles', async () => {
    const deb = await packages.build('arm64', 'first');
    expect(deb).toMatch(/\/gatehouse_\d+\.\d+\.\d+_arm64\.deb$/);
    const field = (name: string) => spawnSync('dpkg-deb', ['-f', deb, name], { encoding: 'utf8' }).stdout.trim();
    expect(field('Architecture')).toBe('arm64');
    for (const needed of ['libc6', 'libstdc++6', 'libatomic1', 'systemd']) expect(field('Depends')).toContain(needed);
    const owners = spawnSync('dpkg-deb', ['-c', deb], { encoding: 'utf8' }).stdout.trim().split('\n');
    expect(owners.filter(line => !/^\S+ root\/root /.test(line))).toEqual([]);
  });

  test('the documentation is in it, with the changelog', async () => {
    const deb = await packages.build('arm64', 'first');
    const listed = spawnSync('dpkg-deb', ['-c', deb], { encoding: 'utf8' }).stdout;
    const shipped = new Set(
      [...listed.matchAll(/\.\/usr\/share\/doc\/gatehouse\/(\S+?)(?:\.gz)?$/gm)].map(([, name]) => name),
    );
    const written = ['docs', 'docs/operating'].flatMap(folder =>
      readdirSync(folder)
        .filter(name => name.endsWith('.md'))
        .map(name => `${folder}/${name}`),
    );
    expect(written.length).toBeGreaterThan(20);
    for (const name of ['README.md', 'NEWS', 'changelog', ...written]) expect(shipped).toContain(name);
  });
});

freshDebianCases(() => packages);

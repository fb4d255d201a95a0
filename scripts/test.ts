import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Runs the tests in vitest. `npm test` leaves out the files called `*.long.test.ts`: those that
 * kill processes, build packages, start virtual machines or drive a browser for minutes. It ends
 * with their names and the command that runs them. `npm run test:long` runs these, `npm run
 * test:all` both. Arguments are passed to vitest; a folder of `src/` stands for its tests.
 */

const root = fileURLToPath(new URL('..', import.meta.url));

const projects = {
  short: ['--project', 'parts', '--project', 'system'],
  long: ['--project', 'long-*'],
  all: ['--project', '!image'],
};

const [scope, ...rest] = process.argv.slice(2) as [keyof typeof projects, ...string[]];
const filters = rest.map(word => word.replace(/^(?:\.\/)?src\//, 'test/'));

const { status, signal } = spawnSync(
  `${root}bin/node`,
  [`${root}node_modules/vitest/vitest.mjs`, 'run', ...projects[scope], ...filters],
  { cwd: root, stdio: 'inherit' },
);

if (scope === 'short') {
  const folders = filters.filter(word => !word.startsWith('-'));
  const leftOut = globSync('test/**/*.long.test.ts', { cwd: root })
    .filter(file => !file.startsWith('test/system/image.'))
    .filter(file => folders.length === 0 || folders.some(folder => file.includes(folder)))
    .map(file => file.slice('test/'.length, -'.long.test.ts'.length))
    .sort();
  if (leftOut.length > 0)
    process.stdout.write(
      `\nLeft out, because they take minutes: ${leftOut.join(', ')}.\nRun them with: npm run test:long${
        folders.length > 0 ? ` -- ${folders.join(' ')}` : ''
      }\n`,
    );
}
process.exitCode = status ?? (signal ? 1 : 0);

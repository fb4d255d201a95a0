import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { filesThatStartProcesses } from '../test/support/starts-processes.ts';

/**
 * Runs the tests in vitest, by scope. Arguments are passed to vitest; a folder of `src/` stands for
 * its tests. `npm test` runs what needs one process alone, and ends with the names of the files
 * that it left out and the command that runs them.
 */

const root = fileURLToPath(new URL('..', import.meta.url));

const projects = {
  short: ['parts'],
  long: ['long-*'],
  all: ['parts', 'processes', 'system', 'long-*'],
  // With names of files: wherever they belong.
  named: ['*'],
} as const;

const [scope, ...rest] = process.argv.slice(2) as [Exclude<keyof typeof projects, 'named'>, ...string[]];
const words = rest.map(word => word.replace(/^(?:\.\/)?src\//, 'test/'));
const names = words.filter(word => !word.startsWith('-'));

const { status, signal } = spawnSync(
  `${root}bin/node`,
  [
    `${root}node_modules/vitest/vitest.mjs`,
    'run',
    ...projects[scope === 'long' && names.length > 0 ? 'named' : scope].flatMap(name => ['--project', name]),
    // Suites of minutes wait for most of them.
    ...(scope === 'short' ? [] : ['--maxWorkers', '5']),
    ...words,
  ],
  { cwd: root, stdio: 'inherit' },
);

if (scope === 'short') process.stdout.write(leftOut());
process.exitCode = status ?? (signal ? 1 : 0);

/** Says what `npm test` left out of what was asked for: by name, with the command that runs it. */
function leftOut(): string {
  const asked = (file: string) => names.length === 0 || names.some(name => file.includes(name));
  const listed = (files: readonly string[]) =>
    files
      .map(file => file.replace(/^test\//, '').replace(/(?:\.long|\.nightly)?\.test\.ts$/, ''))
      .sort()
      .join(', ');
  const minutes = globSync('test/**/*.{long,nightly}.test.ts', { cwd: root }).filter(asked);
  const processes = filesThatStartProcesses(root).filter(file => asked(file) && !minutes.includes(file));
  if (minutes.length + processes.length === 0) return '';
  return [
    '',
    `Left out, ${processes.length} files that start processes: ${listed(processes)}.`,
    `Left out, ${minutes.length} files that take minutes: ${listed(minutes)}.`,
    names.length > 0
      ? `Run them with: npm run test:long -- ${names.join(' ')}`
      : 'Run them with: npm run test:all (the nightly ones: npm run test:nightly)',
    '',
  ].join('\n');
}

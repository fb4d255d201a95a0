import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = `${root}package-lock.json`;

/**
 * Brings the lockfile up to package.json, without the versions of Node that packages ask for: npm
 * would warn of them by the machine's Node, and the one that runs them comes with them
 * (docs/decisions/dependencies.md).
 */
execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--loglevel=error'], {
  cwd: root,
  stdio: 'inherit',
});
const lock: { packages: Record<string, { engines?: unknown }> } = JSON.parse(readFileSync(file, 'utf8'));
for (const [name, one] of Object.entries(lock.packages)) if (name !== '') delete one.engines;
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);

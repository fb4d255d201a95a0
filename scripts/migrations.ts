import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fetchedPackage } from './fetched-package.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}src/store/migrations`;
const breakpoint = '--> statement-breakpoint';
export const embeddedFile = `${root}src/store/schema/migrations.generated.ts`;

/** Versions that were released, newest first: the headings of the changelog. */
export const releases = (): string[] =>
  [...readFileSync(`${root}CHANGELOG.md`, 'utf8').matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version!);

const statementsOf = (name: string): string[] =>
  readFileSync(`${folder}/${name}/migration.sql`, 'utf8')
    .split(breakpoint)
    .map(statement => statement.trim())
    .filter(Boolean);

const migrationNames = (): string[] => readdirSync(folder).sort();

/** The migrations that drizzle-kit wrote, oldest first, as the module that the program carries. */
export function embeddedMigrations(): string {
  const migrations = migrationNames().map(name => ({ name, statements: statementsOf(name) }));
  return `// Made by \`npm run migrations\` from src/store/migrations: do not edit.\nexport const migrations: readonly { name: string; statements: readonly string[] }[] = ${JSON.stringify(migrations, null, 2)};\n`;
}

/**
 * Makes the migration of the coming release anew, so that each release has one. Rows that the old
 * one inserts are kept: drizzle-kit writes no data.
 */
async function generate(name: string | undefined): Promise<number> {
  const unreleased = migrationNames().slice(releases().length);
  const rows = unreleased.flatMap(statementsOf).filter(statement => statement.startsWith('INSERT '));
  for (const one of unreleased) rmSync(`${folder}/${one}`, { recursive: true });
  const { status } = spawnSync(
    process.execPath,
    [
      `${await fetchedPackage('drizzle-kit')}/bin.cjs`,
      'generate',
      '--name',
      name ?? unreleased[0]?.replace(/^\d+_/, '') ?? 'next_release',
    ],
    { cwd: root, stdio: 'inherit' },
  );
  const made = migrationNames()[releases().length];
  if (made !== undefined)
    writeFileSync(
      `${folder}/${made}/migration.sql`,
      [...statementsOf(made), ...rows].join(`\n${breakpoint}\n`).concat('\n'),
    );
  return status ?? 1;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { name: { type: 'string' } } });
  const status = await generate(values.name);
  if (status !== 0) process.exit(status);
  writeFileSync(embeddedFile, embeddedMigrations());
}

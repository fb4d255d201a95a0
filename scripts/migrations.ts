import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}src/store/migrations`;
export const embeddedFile = `${root}src/store/schema/migrations.generated.ts`;

/** The migrations that drizzle-kit wrote, oldest first, as the module that the program carries. */
export function embeddedMigrations(): string {
  const migrations = readdirSync(folder)
    .sort()
    .map(name => ({
      name,
      statements: readFileSync(`${folder}/${name}/migration.sql`, 'utf8')
        .split('--> statement-breakpoint')
        .map(statement => statement.trim())
        .filter(Boolean),
    }));
  return `// Made by \`npm run migrations\` from src/store/migrations: do not edit.\nexport const migrations: readonly { name: string; statements: readonly string[] }[] = ${JSON.stringify(migrations, null, 2)};\n`;
}

if (import.meta.main) {
  const { status } = spawnSync(process.execPath, [`${root}node_modules/drizzle-kit/bin.cjs`, 'generate'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(embeddedFile, embeddedMigrations());
}

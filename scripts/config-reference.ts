import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { configReference } from '../src/config/index.ts';

/** Writes docs/config.md from the schema of the config file. */
await writeFile(fileURLToPath(new URL('../docs/config.md', import.meta.url)), configReference());

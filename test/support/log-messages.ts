import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../src/', import.meta.url));
const call =
  /\blog\.(?:info|warn|error)\(\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}|\w+),\s*(?:'((?:\\.|[^'\\])*)'|`((?:\\.|[^`\\])*)`),?\s*\)/g;

/**
 * What the program's own log can say, by its sources: each text that is the second argument of
 * `log.info`, `log.warn` or `log.error`, with `{}` for each value in it. Texts that are put together
 * elsewhere are not found.
 */
export function logMessages(): string[] {
  const found = new Set<string>();
  for (const file of globSync('**/*.ts', { cwd: root })) {
    // The commands log to the terminal of whoever runs them.
    if (file.startsWith('cli/')) continue;
    for (const [, text, template] of readFileSync(root + file, 'utf8').matchAll(call))
      found.add((text ?? template!.replaceAll(/\$\{[^{}]*\}/g, '{}')).replaceAll(/\\(.)/g, '$1'));
  }
  return [...found].toSorted();
}

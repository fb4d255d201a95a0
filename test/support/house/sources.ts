import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The sources of the project and what they import, read as text: for `test/house.test.ts`. */

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** An import or a re-export of a file of the project. */
export interface Import {
  /** Both as paths from the root: `src/box/open.ts`. */
  readonly from: string;
  readonly to: string;
  /** `whole`: all that it exports. `lazy`: the same, with `import()`. */
  readonly kind: 'import' | 'export' | 'whole' | 'lazy';
  readonly typesOnly: boolean;
  /** The names as the imported file has them, and as this one does. Empty for a whole module. */
  readonly names: readonly { readonly name: string; readonly as: string; readonly isType: boolean }[];
}

const texts = new Map<string, string>();
/** The text of a file, named by its path from the root. */
export function textOf(file: string): string {
  let text = texts.get(file);
  if (text === undefined) {
    text = readFileSync(join(root, file), 'utf8');
    texts.set(file, text);
  }
  return text;
}

/** The TypeScript files below a folder, as paths from the root. */
export const filesOf = (folder: string): string[] =>
  (readdirSync(join(root, folder), { recursive: true, withFileTypes: true }) as Dirent[])
    .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
    .filter(file => !file.includes('node_modules/'));

const named = /(?:^|\n)\s*(import|export)\s+(type\s+)?(?:\w+\s*,\s*)?\{([^}]*)\}\s*from\s+'(\.[^']+)'/g;
const whole =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:\*(?:\s+as\s+\w+)?|\w+)\s+from\s+'(\.[^']+)'|import\(\s*'(\.[^']+)'\s*\)(?!\.)|(?:^|\n)import\s+'(\.[^']+)'|new URL\([^)]*?'(\.[^']+\.ts)'/g;
/** `import('./file.ts').Name`, which is a type. */
const inType = /import\('(\.[^']+)'\)\.(\w+)/g;

export function importsOf(from: string): Import[] {
  const text = textOf(from);
  const resolve = (path: string) => normalize(join(dirname(from), path));
  return [
    ...[...text.matchAll(named)].map(([, keyword, type, names, path]): Import => {
      const read = names!
        .split(',')
        .map(one => one.replace(/\/\/.*|\/\*.*?\*\//g, '').trim())
        .filter(one => one !== '')
        .map(one => {
          const isType = type !== undefined || one.startsWith('type ');
          const [name, as = name] = one.replace(/^type /, '').split(/\s+as\s+/);
          return { name: name!, as: as!, isType };
        });
      return {
        from,
        to: resolve(path!),
        kind: keyword as 'import' | 'export',
        typesOnly: read.every(one => one.isType),
        names: read,
      };
    }),
    ...[...text.matchAll(inType)].map(
      ([, path, name]): Import => ({
        from,
        to: resolve(path!),
        kind: 'import',
        typesOnly: true,
        names: [{ name: name!, as: name!, isType: true }],
      }),
    ),
    ...[...text.matchAll(whole)].map(
      ([, type, path, dynamic, bare, url]): Import => ({
        from,
        to: resolve((path ?? dynamic ?? bare ?? url)!),
        kind: dynamic === undefined ? 'whole' : 'lazy',
        typesOnly: type !== undefined,
        names: [],
      }),
    ),
  ].filter(({ to }) => /\.tsx?$/.test(to));
}

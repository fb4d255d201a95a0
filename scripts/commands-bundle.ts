import { fileURLToPath } from 'node:url';
import type { Metafile, Plugin } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What a command that asks a running box consists of; a test holds the commands to it. */
const ofCommands = /^(src\/(cli|runtime|platform|words|admin-client)\/|tools\/commands\.ts$|package\.json$|builtin:)/;

/**
 * The program is two bundles, so that a command that asks a running box reads a small part of it:
 * the commands, and everything else. A file that a command imports with `import()` belongs to the
 * second one if it uses anything of the box. Returns those files, from the metafile of a bundle of
 * everything.
 */
export function partsOfProgram({ inputs }: Pick<Metafile, 'inputs'>): readonly string[] {
  const importsOf = (file: string, wanted: 'static' | 'dynamic'): string[] =>
    (inputs[file]?.imports ?? [])
      .filter(({ kind, external }) => !external && (kind === 'dynamic-import') === (wanted === 'dynamic'))
      .map(({ path }) => path);
  const usesTheBox = (file: string): boolean => {
    const used = new Set([file]);
    for (const one of used) {
      if (!ofCommands.test(one)) return true;
      for (const imported of importsOf(one, 'static')) used.add(imported);
    }
    return false;
  };
  const commands = Object.keys(inputs).filter(file => /^(src\/cli|tools)\//.test(file));
  const loaded = new Set(commands.flatMap(file => importsOf(file, 'dynamic')));
  return [...loaded].filter(usesTheBox).sort();
}

/** The second bundle: a function for each of its parts, which `src/cli/start.ts` calls. */
export const programOfParts = (parts: readonly string[]): Plugin => ({
  name: 'program-of-parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^program$/ }, ({ path, kind }) =>
      kind === 'entry-point' ? { path, namespace: 'program' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'program' }, () => ({
      contents: [
        'export const parts = {',
        ...parts.map(file => `${JSON.stringify(file)}: () => require(${JSON.stringify(`./${file}`)}),`),
        '};',
        'export async function loadAll() { for (const load of Object.values(parts)) load(); }',
      ].join('\n'),
      resolveDir: root,
    }));
  },
});

/** Has the first bundle take these files from the second one. */
export const partsFromProgram = (parts: readonly string[]): Plugin => ({
  name: 'parts-from-program',
  setup({ onResolve, onLoad, resolve }) {
    const resolving = {};
    onResolve({ filter: /./ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === resolving) return undefined;
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: resolving });
      const file = found.path.slice(root.length);
      return parts.includes(file) ? { path: file, namespace: 'part' } : undefined;
    });
    onLoad({ filter: /./, namespace: 'part' }, ({ path }) => ({
      contents: `module.exports = __program(${JSON.stringify(path)});`,
    }));
  },
});

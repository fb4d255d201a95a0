import { globSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build as bundle, type Metafile, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Files that only a region loads, by `import()`. */
const ofRegion = /^src\/store\/postgres\//;

/** The name of the bundle of those files. */
export const regionFile = 'region.cjs';

/**
 * What the program's bundles import of a region is in a bundle of its own, which a box never reads.
 * It takes everything else (`../assemble.ts`) from the bundle that loads it: a second copy of a
 * class would not be the same class.
 */
export async function bundleRegion(options: BuildOptions): Promise<Metafile> {
  const { metafile } = await bundle({ ...options, ...regionBuild, plugins: [theRest, ...(options.plugins ?? [])] });
  return metafile as Metafile;
}

const files = globSync('src/store/postgres/*.ts', { cwd: root }).sort();

const regionBuild = {
  entryPoints: { region: 'region' },
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  metafile: true,
  banner: { js: 'const __hosts = {};' },
} satisfies BuildOptions;

/** Has the region's bundle take files that are not the region's from its host. */
const theRest: Plugin = {
  name: 'host-of-the-region',
  setup({ onResolve, onLoad, resolve }) {
    const resolving = {};
    onResolve({ filter: /^region$/ }, ({ path, kind }) =>
      kind === 'entry-point' ? { path, namespace: 'region' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'region' }, () => ({
      contents: [
        'const files = {',
        ...files.map(file => `${JSON.stringify(file)}: () => require(${JSON.stringify(`./${file}`)}),`),
        '};',
        'export const load = (file, host) => { Object.assign(__hosts, host); return files[file](); };',
      ].join('\n'),
      resolveDir: root,
    }));
    onResolve({ filter: /^\./, namespace: 'file' }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (pluginData === resolving) return undefined;
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: resolving });
      const file = relative(root, found.path);
      return ofRegion.test(file) ? undefined : { path: file, namespace: 'host' };
    });
    onLoad({ filter: /./, namespace: 'host' }, ({ path }) => ({
      contents: `module.exports = __hosts[${JSON.stringify(path)}]();`,
    }));
  },
};

/** What `file` and the files of the region that it imports need of their host. */
function neededBy(file: string, { inputs }: Metafile): string[] {
  const seen = new Set([file]);
  for (const one of seen) for (const { path } of inputs[one]?.imports ?? []) seen.add(path);
  return [...seen].filter(one => one.startsWith('host:')).map(one => one.slice('host:'.length));
}

/** Has a bundle of the program load a file of the region from the region's bundle. */
export const regionApart = (region: Metafile): Plugin => ({
  name: 'region-apart',
  setup({ onResolve, onLoad, resolve }) {
    const resolving = {};
    onResolve({ filter: /^\./, namespace: 'file' }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (pluginData === resolving) return undefined;
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: resolving });
      const file = relative(root, found.path);
      if (!ofRegion.test(file)) return undefined;
      if (kind !== 'dynamic-import') throw new Error(`${importer}: import ${path} by import(): only a region loads it`);
      return { path: file, namespace: 'region' };
    });
    onLoad({ filter: /./, namespace: 'region' }, ({ path }) => ({
      contents: `module.exports = require('lazy:region').load(${JSON.stringify(path)}, {
        ${neededBy(path, region)
          .map(file => `${JSON.stringify(file)}: () => require(${JSON.stringify(`./${file}`)}),`)
          .join('\n')}
      });`,
      resolveDir: root,
    }));
  },
});

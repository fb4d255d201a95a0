import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Packages that few calls need and that the program imports with `import()`. Each becomes a file of
 * its own beside the program, or an asset of the executable, because Node would otherwise read and
 * hold their 0.8 MB at every start.
 */
const lazy: Readonly<Record<string, string>> = {
  '@zxcvbn-ts/core': '*',
  '@zxcvbn-ts/language-common': '*',
  'age-encryption': '*',
  nodemailer: '{ createTransport }',
  pg: '{ Client }',
  'wasm-media-encoders': '{ createMp3Encoder }',
};

const fileOf = (name: string): string => `${name.replace(/^@/, '').replace('/', '-')}.cjs`;

/** The names of those files. */
export const lazyFiles: readonly string[] = Object.keys(lazy).map(fileOf);

const entries: Plugin = {
  name: 'lazy-entries',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, kind }) =>
      kind === 'entry-point' ? { path, namespace: 'lazy-entry' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'lazy-entry' }, ({ path }) => ({
      contents: `export ${lazy[path]} from '${path}';`,
      resolveDir: root,
    }));
  },
};

/** Makes those files, with what the program uses of each package. */
export const lazyBuild = {
  entryPoints: Object.keys(lazy).map(name => ({ in: name, out: fileOf(name).replace(/\.cjs$/, '') })),
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  plugins: [entries],
} satisfies BuildOptions;

/** Has the program read each of those files when it is imported. */
export const lazyPackages: Plugin = {
  name: 'lazy-packages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[@\w]/ }, ({ path, kind, importer }) => {
      if (!(path in lazy)) return undefined;
      if (kind !== 'dynamic-import') throw new Error(`${importer}: import ${path} by import(), where it is used`);
      return { path, namespace: 'lazy' };
    });
    onResolve({ filter: /^lazy:/ }, ({ path }) => ({ path: path.slice('lazy:'.length), namespace: 'lazy' }));
    // The file beside the program is read at run time.
    onResolve({ filter: /^\.\//, namespace: 'lazy' }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /./, namespace: 'lazy' }, ({ path }) => ({ contents: moduleOf(fileOf(path)) }));
  },
};

/** An executable has no files that `require` could find. */
const moduleOf = (file: string): string => `
  const { getRawAsset, isSea } = require('node:sea');
  if (isSea()) {
    const { compileFunction } = require('node:vm');
    const { zstdDecompressSync } = require('node:zlib');
    const text = zstdDecompressSync(new Uint8Array(getRawAsset('${file}.zst'))).toString('utf8');
    compileFunction(text, ['module', 'exports', 'require'], { filename: '${file}' })(module, exports, require);
  } else module.exports = require('./${file}');
`;

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type Metafile, type Plugin } from 'esbuild';
import { favicon, lookCss } from '../src/platform/look.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const brotli = promisify(brotliCompress);
const zipped = promisify(gzip);

/** `look.css` of the pages is made from the tokens, which the other pages of the box use too. */
const look: Plugin = {
  name: 'look',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^gatehouse:look\.css$/ }, ({ path }) => ({ path, namespace: 'look' }));
    onLoad({ filter: /.*/, namespace: 'look' }, () => ({ contents: lookCss, loader: 'css' }));
  },
};

/**
 * Joins the styles of all pages into one file, those of the frame first: the browser would wait for
 * each of a dozen small ones.
 */
async function joinStyles(folder: string, made: readonly string[]): Promise<string> {
  const names = made
    .filter(name => name.endsWith('.css'))
    .sort((one, other) => Number(other.startsWith('app-')) - Number(one.startsWith('app-')) || (one < other ? -1 : 1));
  const parts = await Promise.all(names.map(name => readFile(join(folder, name), 'utf8')));
  for (const name of names) await rm(join(folder, name));
  const text = parts.join('');
  const name = `style-${createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase()}.css`;
  await writeFile(join(folder, name), text);
  return name;
}

/**
 * Bundles the web UI into `folder`: a file for each page, hashed names, compressed once here so
 * that the box never does.
 */
export async function buildUi(folder: string): Promise<Metafile> {
  await mkdir(folder, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { app: 'web-ui/src/main.tsx' },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['chrome109', 'firefox115', 'safari16.4'],
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    plugins: [look],
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const made = Object.keys(metafile.outputs).map(path => basename(path));
  const entry = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === 'web-ui/src/main.tsx');
  const script = basename(entry![0]);
  const styles = await joinStyles(folder, made);
  const page = (await readFile(`${root}web-ui/index.html`, 'utf8'))
    .replace('%ICON%', `data:image/svg+xml,${encodeURIComponent(favicon)}`)
    .replace('%STYLES%', `<link rel="stylesheet" href="/ui/${styles}">`)
    .replace('%SCRIPTS%', `<script type="module" src="/ui/${script}"></script>`);
  await writeFile(join(folder, 'index.html'), page);
  for (const name of await readdir(folder)) {
    if (!['.js', '.css', '.html', '.svg'].includes(extname(name))) continue;
    const bytes = await readFile(join(folder, name));
    const options = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
    await writeFile(join(folder, `${name}.br`), await brotli(bytes, options));
    await writeFile(join(folder, `${name}.gz`), await zipped(bytes, { level: 9 }));
  }
  return metafile;
}

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { favicon, lookCss } from '../src/platform/look.ts';
import { pagePaths } from '../src/platform/page-paths.ts';

const hashOf = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 8).toUpperCase();

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
  const name = `style-${hashOf(text)}.css`;
  await writeFile(join(folder, name), text);
  return name;
}

/** The icons of the home screen, each under a name with a hash; the manifest says which is which. */
async function copyIcons(folder: string): Promise<Readonly<Record<string, string>>> {
  const names: Record<string, string> = {};
  for (const icon of (await readdir(`${root}web-ui/icons`)).sort()) {
    const bytes = await readFile(`${root}web-ui/icons/${icon}`);
    names[icon] = icon.replace('.', `-${hashOf(bytes)}.`);
    await writeFile(join(folder, names[icon]!), bytes);
  }
  return names;
}

/** What both bundles of the web UI are made with. */
const common = {
  absWorkingDir: root,
  bundle: true,
  target: ['chrome109', 'firefox115', 'safari16.4'],
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [look],
  loader: { '.woff2': 'file' },
  assetNames: '[name]-[hash]',
  publicPath: '/ui',
} as const satisfies BuildOptions;

/** The entry, or a file that it imports: all are fetched at once. */
const scriptTag = (isEntry: boolean, name: string): string =>
  isEntry ? `<script type="module" src="/ui/${name}"></script>` : `<link rel="modulepreload" href="/ui/${name}">`;

/** What a file of the bundle imports, and what those import, without what is fetched later. */
function withImports(outputs: Metafile['outputs'], path: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const { path: next, kind } of outputs[path]!.imports)
    if (kind === 'import-statement') withImports(outputs, next, found);
  return found;
}

/**
 * The script and the styles that stand in the page itself, for the first paint
 * (`web-ui/src/shell/shell.ts`), and the font that they name. `pageFiles` of each page, and of each
 * tab that is a file of its own, are fetched beside those of the frame.
 */
async function shellOf(pageFiles: Readonly<Record<string, readonly string[]>>) {
  const { outputFiles, metafile } = await build({
    ...common,
    metafile: true,
    entryPoints: ['web-ui/src/shell/shell.ts'],
    outdir: root,
    format: 'iife',
    write: false,
    define: { pageFiles: JSON.stringify(pageFiles) },
  });
  const textOf = (extension: string) => outputFiles.find(({ path }) => path.endsWith(extension))!.text.trim();
  const { path, contents } = outputFiles.find(file => file.path.endsWith('.woff2'))!;
  return { script: textOf('.js'), styles: textOf('.css'), font: { name: basename(path), contents }, metafile };
}

/**
 * Bundles the web UI into `folder`: a file for each page, hashed names, compressed once here so
 * that the box never does.
 */
export async function buildUi(folder: string): Promise<readonly Metafile[]> {
  await mkdir(folder, { recursive: true });
  const { metafile } = await build({
    ...common,
    entryPoints: { app: 'web-ui/src/main.tsx' },
    outdir: folder,
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    metafile: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const made = Object.keys(metafile.outputs).map(path => basename(path));
  const outputOf = (source: string) =>
    Object.keys(metafile.outputs).find(path => metafile.outputs[path]!.entryPoint === `web-ui/src/${source}`)!;
  const frame = [...withImports(metafile.outputs, outputOf('main.tsx'))];
  const pageFiles: Record<string, readonly string[]> = {};
  for (const name of Object.keys(pagePaths)) {
    const page = outputOf(`pages/${name}.tsx`);
    const known = new Set([...frame, ...withImports(metafile.outputs, page)]);
    pageFiles[name] = [...known].slice(frame.length).map(path => basename(path));
    for (const { path, kind } of metafile.outputs[page]!.imports)
      if (kind === 'dynamic-import') {
        const tab = basename(metafile.outputs[path]!.entryPoint!, '.tsx');
        const files = [...withImports(metafile.outputs, path)].filter(file => !known.has(file));
        pageFiles[`${name}/${tab}`] = files.map(file => basename(file));
      }
  }
  const styles = await joinStyles(folder, made);
  const { font, metafile: metafileOfShell, ...shell } = await shellOf(pageFiles);
  await writeFile(join(folder, font.name), font.contents);
  const icons = await copyIcons(folder);
  const shellFiles = [...frame.map(path => basename(path)), styles, font.name];
  const version = hashOf(JSON.stringify([shell, shellFiles, pageFiles, icons]));
  await build({
    ...common,
    entryPoints: { 'service-worker': 'web-ui/src/service-worker.ts' },
    outdir: folder,
    format: 'iife',
    define: { shellVersion: JSON.stringify(version), shellFiles: JSON.stringify(shellFiles) },
  });
  const page = (await readFile(`${root}web-ui/index.html`, 'utf8'))
    .replace('%VERSION%', version)
    .replace('%HOME_ICON%', icons['home-192.png']!)
    .replace('%ICON%', `data:image/svg+xml,${encodeURIComponent(favicon)}`)
    .replace('%FONT%', font.name)
    .replace('%STYLES%', `<link rel="stylesheet" href="/ui/${styles}">`)
    .replace('%SCRIPTS%', () => frame.map(path => scriptTag(path === frame[0], basename(path))).join('\n'))
    .replace('%SHELL_STYLES%', () => `<style>${shell.styles}</style>`)
    .replace('%SHELL_SCRIPT%', () => `<script>${shell.script}</script>`);
  await writeFile(join(folder, 'index.html'), page);
  for (const name of await readdir(folder)) {
    if (!['.js', '.css', '.html', '.svg'].includes(extname(name))) continue;
    const bytes = await readFile(join(folder, name));
    const options = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
    const forms = [
      ['br', await brotli(bytes, options)],
      ['gz', await zipped(bytes, { level: 9 })],
    ] as const;
    for (const [form, packed] of forms)
      if (packed.length < bytes.length) await writeFile(join(folder, `${name}.${form}`), packed);
  }
  return [metafile, metafileOfShell];
}

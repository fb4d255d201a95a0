import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { getAsset, getAssetKeys, isSea } from 'node:sea';
import { OpenAPIHono } from '@hono/zod-openapi';
import { light } from '../platform/look.ts';
import { pagePaths } from '../platform/page-paths.ts';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** Its name is read for each response: a site may be renamed. */
interface NamedSite {
  readonly name: string;
}

/**
 * Name and appearance of an installed page, which begins at `start`; the icons are those of the
 * build.
 */
function manifestOf(site: string, start: string, files: readonly string[]): string {
  const icons = files.flatMap(name => {
    const [, kind, size] = /^(icon|home)-(\d+)-\w+\.png$/.exec(name) ?? [];
    if (kind === undefined) return [];
    const purpose = kind === 'home' ? 'maskable' : 'any';
    return [{ src: `/ui/${name}`, sizes: `${size}x${size}`, type: 'image/png', purpose }];
  });
  return JSON.stringify({
    name: site,
    short_name: site,
    id: start,
    start_url: start,
    scope: start,
    display: 'standalone',
    background_color: light.ground,
    theme_color: light.rail,
    icons,
  });
}

/** The page may run the one script and use the one style that stand in it, and files of the box. */
function policyOf(page: string): string {
  const allowed = (tag: 'script' | 'style') =>
    [...page.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(
      ([, text]) => ` 'sha256-${createHash('sha256').update(text!).digest('base64')}'`,
    );
  return [
    "default-src 'self'",
    "img-src 'self' data: blob:",
    `script-src 'self'${allowed('script').join('')}`,
    `style-src 'self'${allowed('style').join('')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const pageHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(self), microphone=(), geolocation=(), interest-cohort=()',
} as const;

interface BuiltFile {
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly br: Uint8Array<ArrayBuffer> | null;
  readonly gz: Uint8Array<ArrayBuffer> | null;
}

/** Prefix of the web UI's files in the single executable (`scripts/build-binary.ts`). */
const inExecutable = 'ui/';

/** Beside the program when it is built, in `dist/` when it runs from its sources. */
const folder = join(import.meta.dirname, basename(import.meta.dirname) === 'listeners' ? '../../dist/ui' : 'ui');

/**
 * Serves the web UI: files with a hash in their names, compressed at build time. Loads nothing from
 * elsewhere. A checkout that was not built serves a page that says so.
 */
export function webUi(site: NamedSite): OpenAPIHono {
  const app = new OpenAPIHono();
  const files = readBuilt();
  const send = (name: string, accepted: string | undefined, headers: Record<string, string>): Response | null => {
    const file = files.get(name);
    if (!file) return null;
    const encoding = file.br && accepted?.includes('br') ? 'br' : file.gz && accepted?.includes('gzip') ? 'gz' : null;
    const body = encoding === 'br' ? file.br! : encoding === 'gz' ? file.gz! : file.plain;
    return new Response(body, {
      headers: {
        'Content-Type': types[extname(name)] ?? 'application/octet-stream',
        ...(encoding === null ? {} : { 'Content-Encoding': encoding === 'gz' ? 'gzip' : encoding }),
        Vary: 'Accept-Encoding',
        ...headers,
      },
    });
  };
  for (const [path, start] of [
    ['/manifest.webmanifest', pagePaths.today],
    [`${pagePaths.me}/manifest.webmanifest`, pagePaths.me],
  ] as const)
    app.get(path, context =>
      context.body(manifestOf(site.name, start, [...files.keys()]), 200, {
        'Content-Type': 'application/manifest+json',
        'Cache-Control': 'no-cache',
        'X-Content-Type-Options': 'nosniff',
      }),
    );
  app.get('/service-worker.js', context => {
    const headers = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' };
    return send('service-worker.js', context.req.header('accept-encoding'), headers) ?? context.notFound();
  });
  app.get('/ui/:name', context => {
    const headers = { 'Cache-Control': 'public, max-age=31536000, immutable', 'X-Content-Type-Options': 'nosniff' };
    return send(context.req.param('name'), context.req.header('accept-encoding'), headers) ?? context.notFound();
  });
  const index = files.get('index.html');
  const policy = { 'Content-Security-Policy': policyOf(index ? Buffer.from(index.plain).toString() : '') };
  const page = (accepted: string | undefined) =>
    send('index.html', accepted, { ...policy, ...pageHeaders, 'Cache-Control': 'no-cache' }) ??
    new Response('the web UI is not built: run npm run build\n', { status: 503 });
  for (const path of Object.values(pagePaths)) {
    app.get(path, context => page(context.req.header('accept-encoding')));
    if (path !== '/') app.get(`${path}/*`, context => page(context.req.header('accept-encoding')));
  }
  app.notFound(context => {
    // A person gets the pages, which say that there is no such one; a program a line.
    const isPerson = context.req.method === 'GET' && context.req.header('accept')?.includes('text/html') === true;
    const shown = isPerson && !context.req.path.startsWith('/ui/') && page(context.req.header('accept-encoding'));
    return shown && shown.status === 200
      ? new Response(shown.body, { status: 404, headers: shown.headers })
      : context.text('404: there is nothing at this address\n', 404);
  });
  return app;
}

function readBuilt(): ReadonlyMap<string, BuiltFile> {
  const names = builtNames();
  const read = (name: string): Uint8Array<ArrayBuffer> | null =>
    names.includes(name)
      ? new Uint8Array(isSea() ? getAsset(`${inExecutable}${name}`) : readFileSync(join(folder, name)))
      : null;
  return new Map(
    names
      .filter(name => !/\.(br|gz)$/.test(name))
      .map(name => [name, { plain: read(name)!, br: read(`${name}.br`), gz: read(`${name}.gz`) }]),
  );
}

function builtNames(): readonly string[] {
  if (isSea())
    return getAssetKeys()
      .filter(key => key.startsWith(inExecutable))
      .map(key => key.slice(inExecutable.length));
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

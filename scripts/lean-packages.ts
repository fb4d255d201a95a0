import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** Removes parts of packages that the program never uses, but would load at each start. */
export const leanPackages: Plugin = {
  name: 'lean-packages',
  setup({ onResolve, onLoad }) {
    // zod has messages in fifty languages; the program uses its own texts, and zod's English ones
    // for the rest.
    onResolve({ filter: /^\.\.\/locales\/index\.js$/ }, ({ importer, resolveDir }) =>
      /\/zod\/v4\//.test(importer) ? { path: `${resolveDir}/../locales/en.js`, sideEffects: false } : undefined,
    );
    // mqtt-packet makes a buffer for each of the 65,536 numbers of 16 bits when it writes the
    // first: 6.8 MB. It writes lengths and the ids of rare packets: `Framing` writes the PUBACKs.
    onLoad({ filter: /\/mqtt-packet\/writeToStream\.js$/ }, ({ path }) => ({
      contents: replaced(path, 'let writeNumber = writeNumberCached', 'let writeNumber = writeNumberGenerated'),
    }));
    // Hono's server asks whether a request came over HTTP/2, which no listener of the box speaks:
    // Node would load it for that.
    onResolve({ filter: /^node:http2$/ }, ({ importer }) =>
      /\/@hono\/node-server\//.test(importer) ? { path: 'http2', namespace: 'unused' } : undefined,
    );
    onLoad({ filter: /^http2$/, namespace: 'unused' }, () => ({
      contents: 'export class Http2ServerRequest {} export const constants = { NGHTTP2_NO_ERROR: 0 };',
    }));
  },
};

/**
 * A package that has changed stops the build, so that somebody checks whether the replacement still
 * fits.
 */
function replaced(file: string, text: string, by: string): string {
  const [before, after, more] = readFileSync(file, 'utf8').split(text);
  if (after === undefined || more !== undefined) throw new Error(`${file}: "${text}" stands in it not once`);
  return `${before}${by}${after}`;
}

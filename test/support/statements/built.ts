import { mkdtempSync, rmSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Node } from './source.ts';
import { sourcesOfStore } from './sources.ts';
import { variantsOf } from './variants.ts';

/**
 * Prints, as JSON, the queries that the store builds with drizzle: a program of its own, because it
 * puts another module in the place of one of the store's.
 */

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier.endsWith('schema/query.ts') || specifier === './query.ts' ? recorderUrl : specifier, context),
});
const recorderUrl = new URL('recorder.ts', import.meta.url).href;
const { built, useVariants } = await import('./recorder.ts');

const sources = sourcesOfStore();
useVariants((file, line) => {
  const source = sources.of(file)!;
  const call = source.calls.find(one => source.lineOf(one) === line && (one.callee as Node).name === 'queryFor')!;
  const [variant] = (call.arguments as Node[])[0]!.params as Node[];
  return variantsOf(sources, source, (variant!.typeAnnotation as Node).typeAnnotation as Node);
});

const { prepare } = await import('../../../src/store/prepare.ts');
const { openReadOnly } = await import('../../../src/store/schema/database.ts');
const { LiveDirectory, readDirectory } = await import('../../../src/store/readers/directory.ts');
const { SegmentReader } = await import('../../../src/store/journal/segment-reader.ts');
const { storeReader } = await import('../../../src/store/readers/reader.ts');

const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-statements-'));
try {
  prepare(dataDir, 'prod');
  // What is not declared as a query is built when it runs.
  const direct = DatabaseSync.prototype.prepare;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, text, ...options) {
    built.push({ file: 'src/store', line: 0, text });
    return direct.call(this, text, ...options);
  };
  const connection = openReadOnly(dataDir, new Uint8Array(32));
  const directory = new LiveDirectory(readDirectory(connection));
  storeReader(connection, new SegmentReader(connection), directory, true, () => {});
  connection.database.close();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
process.stdout.write(JSON.stringify(built));

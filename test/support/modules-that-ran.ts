import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly functionName: string; readonly ranges: readonly { count: number }[] }[];
  }[];
}

/** Scripts of every process. Rejects if none wrote any, as one that is killed or crashes. */
async function scriptsIn(folder: string): Promise<Coverage['result']> {
  const files = await readdir(folder);
  if (files.length === 0) throw new Error(`no process has written which modules ran to ${folder}`);
  const texts = await Promise.all(files.map(file => readFile(join(folder, file), 'utf8')));
  return texts.flatMap(text => (JSON.parse(text) as Coverage).result);
}

/** The modules of the bundles that ran: each is a function that is named after its file. */
async function modulesThatRan(folder: string): Promise<string[]> {
  const names: string[] = [];
  for (const { functions } of await scriptsIn(folder))
    for (const { functionName, ranges } of functions)
      if (functionName.includes('/') && ranges[0]!.count > 0) names.push(functionName);
  return names;
}

/** The bundles that were read, such as `commands.cjs`. */
const bundlesThatRan = async (folder: string): Promise<string[]> =>
  (await scriptsIn(folder)).map(({ url }) => basename(url)).filter(name => name.endsWith('.cjs'));

/** To be given to the program as `NODE_V8_COVERAGE`; it writes there when it ends. */
export async function aCoverageFolder() {
  const path = await mkdtemp(join(tmpdir(), 'gatehouse-coverage-'));
  return {
    path,
    modulesThatRan: () => modulesThatRan(path),
    bundlesThatRan: () => bundlesThatRan(path),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

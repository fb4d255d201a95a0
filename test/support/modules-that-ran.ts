import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Coverage {
  readonly result: readonly {
    readonly functions: readonly { readonly functionName: string; readonly ranges: readonly { count: number }[] }[];
  }[];
}

/** The modules of the bundle that ran: each is a function that is named after its file. */
async function modulesThatRan(folder: string): Promise<string[]> {
  const names: string[] = [];
  for (const file of await readdir(folder)) {
    const { result }: Coverage = JSON.parse(await readFile(join(folder, file), 'utf8'));
    for (const { functions } of result)
      for (const { functionName, ranges } of functions)
        if (functionName.includes('/') && ranges[0]!.count > 0) names.push(functionName);
  }
  return names;
}

/** To be given to the program as `NODE_V8_COVERAGE`; it writes there when it ends. */
export async function aCoverageFolder() {
  const path = await mkdtemp(join(tmpdir(), 'gatehouse-coverage-'));
  return {
    path,
    modulesThatRan: () => modulesThatRan(path),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

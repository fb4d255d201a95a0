import { constants, Script } from 'node:vm';

/** The files that the commands take from the bundle of the box, by name. */
export type Parts = Readonly<Record<string, () => unknown>>;

/**
 * Compiles a bundle of the program: a CommonJS module as one function expression. With V8's code
 * cache of it, whose functions are not compiled again; V8 refuses a cache of another version, of
 * other flags or of a text of another length, and compiles as if there were none.
 */
export const programScript = (text: string, filename: string, codeCache: Buffer | undefined): Script =>
  new Script(text, {
    filename,
    ...(codeCache === undefined ? {} : { cachedData: codeCache }),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });

/**
 * Runs what `programScript` made; returns what the module exports. `part` returns the exports of a
 * file of the other bundle.
 */
export function runProgram<Exports>(
  script: Script,
  require: NodeJS.Require,
  filename: string,
  folder: string,
  part: (file: string) => unknown,
): Exports {
  const module = { exports: {} as Exports };
  script.runInThisContext()(module.exports, require, module, filename, folder, part);
  return module.exports;
}

import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

/**
 * Node's own modules are required where they are first needed, not imported at the top. An import reads every export of a module
 * when the program starts; of `node:http` three of them bring Node's whole fetch along, 18 MB for every command.
 */
export const leanBuiltins: Plugin = {
  name: 'lean-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[\w:/]+$/ }, ({ path, kind }) =>
      isBuiltin(path) && (kind === 'import-statement' || kind === 'dynamic-import')
        ? { path, namespace: 'builtin', sideEffects: false }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
  },
};

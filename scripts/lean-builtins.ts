import { createRequire, isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

const require = createRequire(import.meta.url);
const identifier = /^[A-Za-z_$][\w$]*$/;

/**
 * Requires Node's own modules and reads only the exports that are used. An import reads every
 * export of a module when the program starts: three of `node:http` load all of Node's fetch, 18 MB
 * for every command. The code that bundlers generate instead makes a getter for every export at
 * every import: 12,000 of them, 5 MB.
 */
export const leanBuiltins: Plugin = {
  name: 'lean-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[\w:/]+$/ }, ({ path, kind }) =>
      isBuiltin(path) && (kind === 'import-statement' || kind === 'dynamic-import')
        ? { path, namespace: 'builtin', sideEffects: false }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({ contents: moduleOf(path) }));
  },
};

/**
 * Reading an export is marked as free of side effects, so the bundler leaves out each one that
 * nobody imports.
 */
function moduleOf(path: string): string {
  const names = namesIn(path).filter(name => identifier.test(name) && name !== 'default');
  return [
    `const builtin = require(${JSON.stringify(path)});`,
    'export default builtin;',
    ...names.map(
      (name, at) => `const export${at} = /* @__PURE__ */ (() => builtin.${name})(); export { export${at} as ${name} };`,
    ),
  ].join('\n');
}

/** Some modules warn that they are experimental, which does not concern the build. */
function namesIn(path: string): string[] {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return Object.keys(require(path));
  } finally {
    process.emitWarning = emitWarning;
  }
}

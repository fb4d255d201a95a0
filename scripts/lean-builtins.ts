import { createRequire, isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

const require = createRequire(import.meta.url);
const identifier = /^[A-Za-z_$][\w$]*$/;

/**
 * Node's own modules are required, and of each module only what is used is read. An import reads
 * every export of a module when the program starts: of `node:http` three of them bring Node's whole
 * fetch along, 18 MB for every command. What bundlers put in its place makes a getter for every
 * export at every import: 12,000 of them, 5 MB.
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
 * The bundler leaves out each export that nobody imports: reading it is marked as having no effect.
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

/** Some warn that they are experimental: a matter of the program, not of its build. */
function namesIn(path: string): string[] {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return Object.keys(require(path));
  } finally {
    process.emitWarning = emitWarning;
  }
}

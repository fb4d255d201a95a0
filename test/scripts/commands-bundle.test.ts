import type { Metafile } from 'esbuild';
import { expect, test } from 'vitest';
import { partsOfProgram } from '../../scripts/commands-bundle.ts';

/** `file: its imports`, where `import()` marks a dynamic one. */
function aBundle(files: Readonly<Record<string, readonly string[]>>): Pick<Metafile, 'inputs'> {
  const imports = (written: readonly string[]) =>
    written.map(one => {
      const path = /^import\((.+)\)$/.exec(one)?.[1];
      return path === undefined
        ? ({ path: one, kind: 'import-statement' } as const)
        : ({ path, kind: 'dynamic-import' } as const);
    });
  return {
    inputs: Object.fromEntries(
      Object.entries(files).map(([file, written]) => [file, { bytes: 1, imports: imports(written) }]),
    ),
  };
}

test('what a command loads is part of the other bundle if anything that it imports is of the box', () => {
  const bundle = aBundle({
    'src/cli/main.ts': ['src/cli/commands.ts'],
    'src/cli/commands.ts': ['import(src/cli/status.ts)', 'import(src/cli/serve.ts)', 'import(src/cli/sign.ts)'],
    'src/cli/status.ts': ['src/cli/find-box.ts', 'src/platform/refusals.ts', 'builtin:node:fs'],
    'src/cli/find-box.ts': ['src/admin-client/index.ts', 'import(src/cli/stopped-box.ts)'],
    'src/cli/stopped-box.ts': ['src/store/index.ts'],
    'src/cli/serve.ts': ['src/runtime/log.ts'],
    'src/runtime/log.ts': ['node_modules/pino/pino.js'],
    'src/cli/sign.ts': ['src/platform/signature.ts', 'src/cli/serve.ts'],
  });
  expect(partsOfProgram(bundle)).toEqual(['src/cli/serve.ts', 'src/cli/sign.ts', 'src/cli/stopped-box.ts']);
});

test('files that import each other are looked at once', () => {
  const bundle = aBundle({
    'src/cli/main.ts': ['import(src/cli/one.ts)', 'import(src/cli/three.ts)'],
    'src/cli/one.ts': ['src/cli/two.ts'],
    'src/cli/two.ts': ['src/cli/one.ts'],
    'src/cli/three.ts': ['src/cli/four.ts', 'src/store/index.ts'],
    'src/cli/four.ts': ['src/cli/three.ts'],
  });
  expect(partsOfProgram(bundle)).toEqual(['src/cli/three.ts']);
});

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** `import type` is not matched: a type starts nothing. */
const imported = /^(?:import|export) (?!type )[^;]*?'([^']+)'|import\('([^']+)'\)/gm;

/**
 * Test files below `root` that start processes, as paths from `root`: those that import
 * `node:child_process` or what runs the reader of workbooks in a process of its own, themselves or
 * by a file of `test/` that they import.
 */
export function filesThatStartProcesses(root: string): string[] {
  const known = new Map<string, boolean>();
  return globSync('test/**/*.test.ts', { cwd: root }).filter(file => startsProcesses(join(root, file), known));
}

function startsProcesses(file: string, known: Map<string, boolean>): boolean {
  const answer = known.get(file);
  if (answer !== undefined) return answer;
  // Of a circle, the file that is asked first decides.
  known.set(file, false);
  const starts = [...readFileSync(file, 'utf8').matchAll(imported)].some(([, fixed, lazy]) => {
    const name = fixed ?? lazy!;
    if (name === 'node:child_process' || name.endsWith('/runtime/bounded-program.ts')) return true;
    const path = resolve(dirname(file), name);
    return name.startsWith('.') && path.includes('/test/') && existsSync(path) && startsProcesses(path, known);
  });
  known.set(file, starts);
  return starts;
}

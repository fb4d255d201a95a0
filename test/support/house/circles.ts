import { type Import, importsOf } from './sources.ts';

/** Import cycles among files, each listed once by its files (Tarjan). */
export function circles(files: readonly string[]): string[] {
  const edges = new Map(
    files.map(file => [
      file,
      importsOf(file)
        .filter(isNeededAtOnce)
        .map(one => one.to),
    ]),
  );
  const indexes = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[] = [];
  const visit = (file: string): void => {
    indexes.set(file, indexes.size);
    lowest.set(file, indexes.get(file)!);
    open.push(file);
    for (const next of edges.get(file) ?? []) {
      if (!indexes.has(next)) visit(next);
      if (open.includes(next)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!));
    }
    if (lowest.get(file) !== indexes.get(file)) return;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1) found.push(circle.join(' '));
  };
  for (const file of files) if (!indexes.has(file)) visit(file);
  return found;
}

/** An `import()` may lead back: the table of commands loads each command when it is run. */
const isNeededAtOnce = ({ kind }: Import): boolean => kind !== 'lazy';

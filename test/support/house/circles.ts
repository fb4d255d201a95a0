import { type Import, importsOf } from './sources.ts';

/** Import cycles among files, each listed once by its files. */
export const circles = (files: readonly string[]): string[] => circlesOf(edgesBetween(files, file => file));

/**
 * The same among the folders directly below a folder: all that lies in one of them is one place, a
 * file beside them is a place of its own.
 */
export const circlesBelow = (folder: string, files: readonly string[]): string[] =>
  circlesOf(
    edgesBetween(
      files.filter(file => file.startsWith(`${folder}/`)),
      file => `${folder}/${file.slice(folder.length + 1).split('/')[0]}`,
    ),
  );

function edgesBetween(files: readonly string[], placeOf: (file: string) => string): ReadonlyMap<string, Set<string>> {
  const known = new Set(files);
  const edges = new Map(files.map(file => [placeOf(file), new Set<string>()]));
  for (const { from, to } of files.flatMap(importsOf).filter(isNeededAtOnce))
    if (known.has(to) && placeOf(from) !== placeOf(to)) edges.get(placeOf(from))!.add(placeOf(to));
  return edges;
}

/** Strongly connected places of more than one (Tarjan). */
function circlesOf(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const indexes = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[] = [];
  const visit = (place: string): void => {
    indexes.set(place, indexes.size);
    lowest.set(place, indexes.get(place)!);
    open.push(place);
    for (const next of edges.get(place) ?? []) {
      if (!indexes.has(next)) visit(next);
      if (open.includes(next)) lowest.set(place, Math.min(lowest.get(place)!, lowest.get(next)!));
    }
    if (lowest.get(place) !== indexes.get(place)) return;
    const circle = open.splice(open.indexOf(place));
    if (circle.length > 1) found.push(circle.sort().join(' '));
  };
  for (const place of edges.keys()) if (!indexes.has(place)) visit(place);
  return found;
}

/** An `import()` may lead back: the table of commands loads each command when it is run. */
const isNeededAtOnce = ({ kind }: Import): boolean => kind !== 'lazy';

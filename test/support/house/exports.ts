import { filesOf, importsOf, textOf } from './sources.ts';

const declared =
  /(?:^|\n)export (?:declare )?(?:abstract )?(?:async )?(const|let|function\*?|class|interface|type|enum) (\w+)/g;
const listed = /(?:^|\n)export (?:type )?\{([^}]*)\};/g;

const key = (file: string, name: string): string => `${file}: ${name}`;

const program = ['src', 'tools'].flatMap(filesOf);

/** What a file exports of its own, re-exports left out. */
const ownExports = (file: string): string[] => [
  ...[...textOf(file).matchAll(declared)].map(([, , name]) => name!),
  ...[...textOf(file).matchAll(listed)].flatMap(([, names]) =>
    names!
      .split(',')
      .map(one => one.trim().replace(/^type /, ''))
      .filter(one => one !== '')
      .map(one => one.split(/\s+as\s+/).at(-1)!),
  ),
];

/** What a file exports of others. */
const passedOn = (file: string): string[] =>
  importsOf(file)
    .filter(({ kind }) => kind === 'export')
    .flatMap(({ names }) => names.map(({ as }) => as));

/** `file: name` of every export that the files of these folders reach, through re-exports too. */
function reached(folders: readonly string[]): Set<string> {
  const all = folders.flatMap(filesOf).flatMap(importsOf);
  const through = new Map<string, string>();
  for (const { from, to, kind, names } of [...all, ...program.flatMap(importsOf)])
    if (kind === 'export') for (const { name, as } of names) through.set(key(from, as), key(to, name));
  const found = new Set<string>();
  const reach = (one: string): void => {
    if (found.has(one)) return;
    found.add(one);
    const next = through.get(one);
    if (next) reach(next);
  };
  for (const { to, kind, names } of all) {
    if (kind === 'import') for (const { name } of names) reach(key(to, name));
    if (kind === 'whole' || kind === 'lazy')
      for (const name of [...ownExports(to), ...passedOn(to)]) reach(key(to, name));
  }
  return found;
}

const typesOf = (file: string): string[] =>
  [...textOf(file).matchAll(declared)]
    .filter(([, keyword]) => keyword === 'interface' || keyword === 'type')
    .map(([, , name]) => key(file, name!));

/** Exports of `src/` and `tools/` that nobody imports, and those that tests alone import, types left out. */
export function unusedExports(): { readonly unused: string[]; readonly testsAlone: string[] } {
  const used = reached(['src', 'tools', 'web-ui', 'bench', 'scripts']);
  const tests = reached(['test']);
  const reExported = program
    .flatMap(importsOf)
    .filter(({ kind }) => kind === 'export')
    .flatMap(({ from, names }) => names.map(({ as }) => key(from, as)));
  const every = [
    ...program
      .filter(file => !file.endsWith('.generated.ts'))
      .flatMap(file => ownExports(file).map(name => key(file, name))),
    ...reExported,
  ];
  const types = new Set(program.flatMap(typesOf));
  const left = every.filter(one => !used.has(one));
  return {
    unused: left.filter(one => !tests.has(one)).sort(),
    testsAlone: left.filter(one => tests.has(one) && !types.has(one)).sort(),
  };
}

import { filesOf } from '../house/sources.ts';
import { bindingIn, bindingOf } from './bindings.ts';
import { type Node, Source } from './source.ts';

/** Of the store, and of what its constants come from. */
export const sourcesOfStore = (): Sources =>
  new Sources(
    ['src/store', 'src/platform', 'src/runtime'].flatMap(filesOf).filter(file => !file.endsWith('.generated.ts')),
  );

export class Sources {
  readonly #files = new Map<string, Source>();

  constructor(paths: readonly string[]) {
    for (const path of paths) this.#files.set(path, new Source(path));
  }

  all(): Iterable<Source> {
    return this.#files.values();
  }

  /** Undefined: a package, or a file that was not asked for. */
  of(path: string): Source | undefined {
    return this.#files.get(path);
  }

  /** What callers hand to a function: by its name, wherever that is called. */
  callsOf(source: Source, made: Node): { caller: Source; given: readonly Node[] }[] {
    const name = nameOf(source, made);
    if (name === null) return [];
    const found: { caller: Source; given: readonly Node[] }[] = [];
    for (const caller of this.#files.values())
      for (const call of caller.calls) {
        const callee = call.callee as Node;
        const called = callee.type === 'MemberExpression' ? (callee.property as Node) : callee;
        if (called.name === name && this.#reaches(caller, callee, source, made))
          found.push({ caller, given: call.arguments as Node[] });
      }
    return found;
  }

  /** A method by its name alone; a function only where it is in scope, or imported from its file. */
  #reaches(caller: Source, callee: Node, source: Source, made: Node): boolean {
    const isMethod = /^(?:MethodDefinition|Property)$/.test(source.parentOf(made)?.type ?? '');
    if (isMethod || callee.type === 'MemberExpression') return isMethod && callee.type === 'MemberExpression';
    const binding = bindingOf(caller, callee);
    return binding?.kind === 'import' ? caller.fileOf(binding.from!) === source.path : binding?.node === made;
  }

  /** The type that a name stands for, in its file or in the one that it is imported from. */
  alias(source: Source, reference: Node): { source: Source; type: Node } | undefined {
    const { name } = reference.typeName as unknown as { name: string };
    for (const statement of source.program.body as Node[]) {
      const declared = (statement.declaration as Node | undefined) ?? statement;
      if ((declared.id as Node | undefined)?.name !== name) continue;
      if (declared.type === 'TSTypeAliasDeclaration') return { source, type: declared.typeAnnotation as Node };
      if (declared.type === 'TSInterfaceDeclaration') return { source, type: declared.body as Node };
    }
    const imported = bindingIn(source.program, name);
    const other = imported?.kind === 'import' ? this.of(source.fileOf(imported.from!)) : undefined;
    return other && this.alias(other, { ...reference, typeName: { name: imported!.name } });
  }
}

/** Of the function itself, of the constant that holds it, or of the method. */
function nameOf(source: Source, made: Node): string | null {
  if (made.id) return (made.id as Node).name as string;
  const holder = source.parentOf(made);
  if (holder?.type === 'VariableDeclarator') return (holder.id as Node).name as string;
  if (holder?.type === 'MethodDefinition' || holder?.type === 'Property') return (holder.key as Node).name as string;
  return null;
}

import type { Node, Source } from './source.ts';

/** Where a name comes from. */
export interface Binding {
  /** `each`: one of the elements of `node`. */
  readonly kind: 'constant' | 'each' | 'import' | 'parameter';
  /** The value, the list, or the parameter. */
  readonly node: Node;
  /** From the value to the name, through patterns. */
  readonly path: readonly Step[];
  /** Of an import: file and name there. */
  readonly from?: string;
  readonly name?: string;
  /** Of a parameter: its function. */
  readonly of?: Node;
}

interface Step {
  readonly key: string | number | null;
  /** The default of a pattern. */
  readonly otherwise: Node | null;
}

/** The nearest binding of a name, from its place outwards; undefined: a global, or a class. */
export function bindingOf(source: Source, use: Node): Binding | undefined {
  const name = use.name as string;
  for (let at = source.parentOf(use); at; at = source.parentOf(at)) {
    const found = bindingIn(at, name);
    if (found) return found;
  }
  return undefined;
}

/** What a scope itself binds. */
export function bindingIn(scope: Node, name: string): Binding | undefined {
  switch (scope.type) {
    case 'Program':
    case 'BlockStatement':
      for (const statement of scope.body as Node[]) {
        const found = declaredBy((statement.declaration as Node | undefined) ?? statement, name);
        if (found) return found;
      }
      return undefined;
    case 'ForOfStatement': {
      const { declarations } = scope.left as unknown as { declarations?: Node[] };
      const path = declarations && pathTo(declarations[0]!.id as Node, name);
      return path ? { kind: 'each', node: scope.right as Node, path } : undefined;
    }
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration':
      for (const parameter of scope.params as Node[]) {
        const path = pathTo(parameter, name);
        if (path) return { kind: 'parameter', node: parameter, path, of: scope };
      }
      return undefined;
    default:
      return undefined;
  }
}

function declaredBy(statement: Node, name: string): Binding | undefined {
  if (statement.type === 'ImportDeclaration') {
    const found = (statement.specifiers as Node[]).find(({ local }) => (local as Node).name === name);
    if (!found) return undefined;
    const from = (statement.source as Node).value as string;
    return {
      kind: 'import',
      node: found,
      path: [],
      from,
      name: ((found.imported ?? found.local) as Node).name as string,
    };
  }
  if (statement.type === 'FunctionDeclaration' && (statement.id as Node).name === name)
    return { kind: 'constant', node: statement, path: [] };
  if (statement.type !== 'VariableDeclaration') return undefined;
  for (const { id, init } of statement.declarations as unknown as { id: Node; init: Node | null }[]) {
    const path = init && pathTo(id, name);
    if (path) return { kind: 'constant', node: init, path };
  }
  return undefined;
}

/** From what a pattern is bound to, to a name in it. */
function pathTo(pattern: Node, name: string): Step[] | undefined {
  switch (pattern.type) {
    case 'Identifier':
      return pattern.name === name ? [] : undefined;
    case 'AssignmentPattern': {
      const path = pathTo(pattern.left as Node, name);
      return path && [{ key: null, otherwise: pattern.right as Node }, ...path];
    }
    case 'ObjectPattern':
      for (const property of pattern.properties as Node[]) {
        if (property.type === 'RestElement') continue;
        const path = pathTo(property.value as Node, name);
        const key = property.key as Node;
        if (path) return [{ key: (key.name ?? key.value) as string, otherwise: null }, ...path];
      }
      return undefined;
    case 'ArrayPattern':
      for (const [index, element] of (pattern.elements as (Node | null)[]).entries()) {
        const path = element && pathTo(element, name);
        if (path) return [{ key: index, otherwise: null }, ...path];
      }
      return undefined;
    default:
      return undefined;
  }
}

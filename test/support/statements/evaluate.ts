import { type Binding, bindingIn, bindingOf } from './bindings.ts';
import type { Node, Source } from './source.ts';
import type { Sources } from './sources.ts';

/** What an expression may be is not known from the text of the program alone. */
export class Unknown extends Error {}

/** Names that lead to names: more is a circle. */
const depthMax = 100;

/** An argument is evaluated when it is asked for: most are not, and are not known. */
type Value = () => unknown;
/** What the calls around an expression bind their parameters to. */
type Own = ReadonlyMap<Node, Value>;
type Callable = (...values: unknown[]) => unknown;
/** A text between the expressions of a template. */
interface Quasi {
  readonly value: { readonly cooked: string; readonly raw: string };
}

/**
 * Evaluates expressions by the text of the program, without running it: constants, conditions,
 * loops over what is written there, functions with the arguments of their callers. Where there are
 * several possibilities it takes one; `everyValue` goes through all of them.
 */
class Evaluator {
  readonly #sources: Sources;
  readonly #chosen = new Map<unknown, number>();
  readonly #path: { count: number; index: number }[];
  /** Functions of the program: called with values that are not evaluated yet. */
  readonly #written = new Map<Callable, (values: readonly Value[]) => unknown>();
  #at = 0;
  #depth = 0;
  /** Not for a condition: both of its answers are tried instead. */
  #asksCallers = true;

  constructor(sources: Sources, path: { count: number; index: number }[]) {
    this.#sources = sources;
    this.#path = path;
  }

  /** The same for the same key: a condition that is asked twice has one answer. */
  #choose<T>(key: unknown, options: readonly T[]): T {
    let index = this.#chosen.get(key);
    if (index === undefined) {
      if (this.#path.length === this.#at) this.#path.push({ count: options.length, index: 0 });
      index = this.#path[this.#at++]!.index;
      this.#chosen.set(key, index);
    }
    if (options.length === 0) throw new Unknown('no possibility');
    return options[Math.min(index, options.length - 1)]!;
  }

  value(node: Node, source: Source, own: Own): unknown {
    const of = (field: string) => this.value(node[field] as Node, source, own);
    switch (node.type) {
      case 'Literal':
        return node.value;
      case 'TemplateLiteral': {
        const expressions = node.expressions as Node[];
        return (node.quasis as unknown as Quasi[])
          .map(({ value }, index) => {
            const expression = expressions[index];
            if (!expression) return value.cooked;
            const inserted = this.value(expression, source, own);
            if (typeof inserted !== 'string' && typeof inserted !== 'number')
              throw new Unknown(source.textOf(expression));
            return `${value.cooked}${inserted}`;
          })
          .join('');
      }
      case 'TaggedTemplateExpression': {
        const tag = of('tag');
        if (typeof tag !== 'function') return unknown(source, node);
        const { quasis, expressions } = node.quasi as unknown as { quasis: Quasi[]; expressions: Node[] };
        const texts = Object.assign(
          quasis.map(({ value }) => value.cooked),
          { raw: quasis.map(({ value }) => value.raw) },
        );
        return (tag as Callable)(texts, ...expressions.map(one => this.value(one, source, own)));
      }
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
      case 'ParenthesizedExpression':
      case 'ChainExpression':
        return of('expression');
      case 'UnaryExpression': {
        const value = of('argument');
        return node.operator === '-' ? -(value as number) : node.operator === '!' ? !value : unknown(source, node);
      }
      case 'BinaryExpression': {
        const [left, right] = [of('left') as number, of('right') as number];
        const operations: Record<string, () => unknown> = {
          '+': () => left + right,
          '-': () => left - right,
          '*': () => left * right,
          '/': () => left / right,
          '**': () => left ** right,
          '<<': () => left << right,
          '===': () => left === right,
          '!==': () => left !== right,
        };
        return (operations[node.operator as string] ?? (() => unknown(source, node)))();
      }
      case 'LogicalExpression': {
        const left = of('left');
        return (node.operator === '??' ? (left ?? undefined) !== undefined : Boolean(left) === (node.operator === '||'))
          ? left
          : of('right');
      }
      case 'ConditionalExpression':
        return this.#condition(node.test as Node, source, own) ? of('consequent') : of('alternate');
      case 'ArrayExpression':
        return (node.elements as Node[]).flatMap(element =>
          element.type === 'SpreadElement'
            ? (this.value(element.argument as Node, source, own) as unknown[])
            : [this.value(element, source, own)],
        );
      case 'ObjectExpression':
        return lazyObject(node, one => this.value(one, source, own));
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
      case 'FunctionDeclaration':
        return this.#function(node, source, own);
      case 'MemberExpression': {
        const object = of('object');
        const { property, computed } = node as { property?: Node; computed?: boolean };
        if (object === null || object === undefined) return unknown(source, node);
        const isTable = typeof object === 'object' && !Array.isArray(object);
        const key = !computed
          ? (property!.name as string)
          : isTable
            ? this.#keyOf(property!, object, source, own)
            : this.value(property!, source, own);
        const found = (object as Record<string, unknown>)[key as string];
        return typeof found === 'function' && !isTable ? (found as Callable).bind(object) : found;
      }
      case 'CallExpression': {
        const call = of('callee');
        if (typeof call !== 'function') return unknown(source, node);
        const values = (node.arguments as Node[]).map(one => () => this.value(one, source, own));
        return this.#written.get(call as Callable)?.(values) ?? (call as Callable)(...values.map(one => one()));
      }
      case 'Identifier':
        return this.#name(node, source, own);
      default:
        return unknown(source, node);
    }
  }

  #condition(test: Node, source: Source, own: Own): boolean {
    const outer = this.#asksCallers;
    this.#asksCallers = false;
    try {
      return Boolean(this.value(test, source, own));
    } catch (error) {
      if (!(error instanceof Unknown)) throw error;
      return this.#choose(source.textOf(test), [true, false]);
    } finally {
      this.#asksCallers = outer;
    }
  }

  #keyOf(property: Node, object: object, source: Source, own: Own): unknown {
    try {
      return this.value(property, source, own);
    } catch (error) {
      if (!(error instanceof Unknown)) throw error;
      return this.#choose(source.textOf(property), Object.keys(object));
    }
  }

  #function(node: Node, source: Source, own: Own): Callable {
    const call = (values: readonly Value[]) => {
      const body = node.body as Node;
      const inside = new Map(own);
      for (const [index, parameter] of (node.params as Node[]).entries())
        inside.set(parameter, values[index] ?? (() => undefined));
      if (body.type !== 'BlockStatement') return this.value(body, source, inside);
      const result = (body.body as Node[]).find(({ type }) => type === 'ReturnStatement');
      return result ? this.value(result.argument as Node, source, inside) : unknown(source, node);
    };
    const callable: Callable = (...values) => call(values.map(value => () => value));
    this.#written.set(callable, call);
    return callable;
  }

  #name(node: Node, source: Source, own: Own): unknown {
    const binding = bindingOf(source, node);
    if (!binding) return known[node.name as string] ?? unknown(source, node);
    return this.#taken(binding, this.#bound(binding, source, own), source, own);
  }

  /** What the pattern of a binding takes out of the value that it is bound to. */
  #taken({ path }: Binding, value: unknown, source: Source, own: Own): unknown {
    let taken = value;
    for (const { key, otherwise } of path) {
      if (key !== null) {
        if (taken === null || taken === undefined) throw new Unknown(`${source.path}: ${key}`);
        taken = (taken as Record<string, unknown>)[key];
      }
      if (taken === undefined && otherwise) taken = this.value(otherwise, source, own);
    }
    return taken;
  }

  #bound(binding: Binding, source: Source, own: Own): unknown {
    if (this.#depth > depthMax) throw new Unknown(`circle ${source.path} ${source.textOf(binding.node).slice(0, 80)}`);
    this.#depth++;
    try {
      return this.#ofBinding(binding, source, own);
    } finally {
      this.#depth--;
    }
  }

  #ofBinding(binding: Binding, source: Source, own: Own): unknown {
    const { kind, node } = binding;
    switch (kind) {
      case 'constant':
        return this.value(node, source, own);
      case 'each': {
        const all = this.value(node, source, own) as unknown[];
        if (!Array.isArray(all)) throw new Unknown(source.textOf(node));
        return this.#choose(node, all);
      }
      case 'import': {
        const other = this.#sources.of(source.fileOf(binding.from!));
        const exported = other && bindingIn(other.program, binding.name!);
        if (!exported) throw new Unknown(`${source.path}: ${binding.name}`);
        return this.#taken(exported, this.#bound(exported, other, new Map()), other, new Map());
      }
      case 'parameter': {
        const given = own.get(node);
        if (given) return given();
        const list = listBehind(source, binding.of!);
        if (list) return this.#ofBinding({ ...binding, kind: 'each', node: list }, source, own);
        const literals = this.#literalsOf(node, source);
        if (literals) return this.#choose(node, literals);
        if (!this.#asksCallers) throw new Unknown(source.textOf(node));
        const { caller, given: handed } = this.#choose(binding.of, this.#sources.callsOf(source, binding.of!));
        const argument = handed[(binding.of!.params as Node[]).indexOf(node)];
        return argument && this.value(argument, caller, new Map());
      }
    }
  }

  /** Of a parameter whose type is some texts. */
  #literalsOf(parameter: Node, source: Source): readonly unknown[] | null {
    const annotation = (parameter.typeAnnotation as Node | undefined)?.typeAnnotation as Node | undefined;
    if (!annotation) return null;
    if (annotation.type === 'TSTypeOperator') {
      const query = annotation.typeAnnotation as Node;
      if (query.type !== 'TSTypeQuery') return null;
      return Object.keys(this.value(query.exprName as Node, source, new Map()) as object);
    }
    const named = annotation.type === 'TSTypeReference' ? this.#sources.alias(source, annotation)?.type : annotation;
    const parts = named?.type === 'TSUnionType' ? (named.types as Node[]) : named ? [named] : [];
    if (parts.length === 0 || !parts.every(({ type }) => type === 'TSLiteralType')) return null;
    return parts.map(part => (part.literal as Node).value);
  }
}

/** The list whose elements are handed to a function, as in `list.map(one => …)`. */
function listBehind(source: Source, made: Node): Node | null {
  const call = source.parentOf(made);
  if (call?.type !== 'CallExpression') return null;
  const callee = call.callee as Node;
  const isEach =
    callee.type === 'MemberExpression' &&
    /^(?:map|flatMap|filter|find|some)$/.test(source.textOf(callee.property as Node));
  return isEach ? (callee.object as Node) : null;
}

const known: Record<string, unknown> = { Array, Date, JSON, Math, Number, Object, String, undefined };

function unknown(source: Source, node: Node): never {
  throw new Unknown(`${source.path}:${source.lineOf(node)}: ${source.textOf(node)}`);
}

/** An object whose fields are evaluated when they are asked for: some of them are functions of more. */
function lazyObject(node: Node, value: (node: Node) => unknown): object {
  const made = {};
  for (const property of node.properties as Node[]) {
    if (property.type === 'SpreadElement') {
      Object.defineProperties(made, Object.getOwnPropertyDescriptors(value(property.argument as Node) as object));
      continue;
    }
    const key = property.key as Node;
    const name = property.computed ? value(key) : (key.name ?? key.value);
    Object.defineProperty(made, name as string, {
      enumerable: true,
      configurable: true,
      get: () => value(property.value as Node),
    });
  }
  return made;
}

/**
 * All values that a text may have: each run of the evaluator takes another way, the last step that
 * can be another one first.
 */
export function* everyValue(sources: Sources, source: Source, node: Node): Iterable<string> {
  const path: { count: number; index: number }[] = [];
  do {
    const value = new Evaluator(sources, path).value(node, source, new Map());
    if (typeof value !== 'string') throw new Unknown(source.textOf(node));
    yield value;
    while (path.length > 0 && path.at(-1)!.index + 1 >= path.at(-1)!.count) path.pop();
    if (path.length > 0) path.at(-1)!.index++;
  } while (path.length > 0);
}

import { dirname, join } from 'node:path';
import { parseSync } from 'vite';
import { textOf } from '../house/sources.ts';

/** A node of the syntax tree, with what this reader needs of it. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** A file of the program as a tree, with the way up from each node. */
export class Source {
  /** From the root. */
  readonly path: string;
  readonly text: string;
  readonly program: Node;
  readonly #parents = new Map<Node, Node>();
  readonly calls: Node[] = [];

  constructor(path: string) {
    this.path = path;
    this.text = textOf(path);
    const { program, errors } = parseSync(path, this.text, { lang: 'ts', astType: 'ts' });
    if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
    this.program = program as unknown as Node;
    this.#adopt(this.program);
  }

  #adopt(node: Node): void {
    if (node.type === 'CallExpression') this.calls.push(node);
    for (const child of childrenOf(node)) {
      this.#parents.set(child, node);
      this.#adopt(child);
    }
  }

  parentOf(node: Node): Node | undefined {
    return this.#parents.get(node);
  }

  textOf({ start, end }: Node): string {
    return this.text.slice(start, end);
  }

  lineOf({ start }: Node): number {
    return this.text.slice(0, start).split('\n').length;
  }

  /** The file that an import names. */
  fileOf(specifier: string): string {
    return join(dirname(this.path), specifier);
  }
}

function* childrenOf(node: Node): Iterable<Node> {
  for (const value of Object.values(node))
    for (const one of Array.isArray(value) ? value : [value])
      if (one && typeof one === 'object' && typeof (one as Node).type === 'string') yield one as Node;
}

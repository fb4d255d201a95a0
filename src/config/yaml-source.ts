import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Document,
  isCollection,
  isMap,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type YAMLError,
  YAMLParseError,
} from 'yaml';
import { type Complaint, FileRefused, type PathStep, pathText } from './complaint.ts';
import { whyNotRead } from './files.ts';

const fileBytesMax = 64 << 20;
const tooDeep = 'nested too deeply: no value of this file is nested more than a few levels';

/** A YAML file whose every value can say where it stands. */
export class YamlSource {
  readonly name: string;
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter;

  private constructor(name: string, document: Document.Parsed, lines: LineCounter) {
    this.name = name;
    this.#document = document;
    this.#lines = lines;
  }

  /**
   * `name` stands in complaints, as the person wrote it. Throws `FileRefused` with all that is no
   * YAML.
   */
  static parse(name: string, text: string): YamlSource {
    const whole = (reason: string) => new FileRefused([{ where: `${name}:1:1`, line: 1, column: 1, path: '', reason }]);
    if (text.length > fileBytesMax) throw whole('larger than 64 MiB: split it into several files and apply each');
    if (text.includes('\0')) throw whole('no text file: it holds NUL bytes');
    const lines = new LineCounter();
    const document = parsed(text, lines);
    if (document === null) throw whole(tooDeep);
    const source = new YamlSource(name, document, lines);
    const wrong = [...document.errors, ...document.warnings];
    visit(document, {
      Alias(_key, alias) {
        if (alias.resolve(document)) return;
        const at = alias.range?.[0] ?? 0;
        wrong.push(new YAMLParseError([at, at], 'BAD_ALIAS', `no anchor ${alias.source}`));
      },
    });
    if (wrong.length > 0) throw new FileRefused(withoutEchoes(wrong.map(error => source.#notYaml(error, text))));
    return source;
  }

  /**
   * The file as plain values; null when it is empty. Throws `FileRefused` when it is no map of
   * keys.
   */
  values(): Record<string, unknown> | null {
    if (this.#document.contents === null) return null;
    if (isScalar(this.#document.contents) && this.#document.contents.value === null) return null;
    if (!isMap(this.#document.contents))
      throw new FileRefused([this.complaint([], 'no map of keys: write `key: value`, one a line')]);
    try {
      return this.#document.toJS({ maxAliasCount: 1000 });
    } catch (error) {
      throw new FileRefused([this.complaint([], `cannot be read: ${(error as Error).message}`)]);
    }
  }

  /** The value as it was written, `000001` for a number that lost its zeros. */
  written(path: readonly PathStep[]): string | undefined {
    const node = this.#document.getIn(path, true);
    return isScalar(node) ? (node.source ?? String(node.value)) : undefined;
  }

  has(path: readonly PathStep[]): boolean {
    return this.#document.hasIn(path);
  }

  /** Stands at the value of `path`; of an unknown key at the key; of what is missing at its map. */
  complaint(path: readonly PathStep[], reason: string, more: { value?: string; at?: 'value' | 'key' } = {}): Complaint {
    const { line, column } = this.#place(path, more.at ?? 'value');
    const where = `${this.name}:${line}:${column}`;
    const base = { where, line, column, path: pathText(path), reason };
    return more.value === undefined ? base : { ...base, value: more.value };
  }

  #place(path: readonly PathStep[], of: 'value' | 'key'): { line: number; column: number } {
    for (let length = path.length; length >= 0; length--) {
      const whole = length === path.length;
      const offset = this.#offset(path.slice(0, length), whole ? of : 'key');
      if (offset === undefined) continue;
      const { line, col } = this.#lines.linePos(offset);
      return { line: Math.max(1, line), column: Math.max(1, col) };
    }
    return { line: 1, column: 1 };
  }

  #offset(path: readonly PathStep[], of: 'value' | 'key'): number | undefined {
    const last = path.at(-1);
    const parent = path.length > 0 ? this.#document.getIn(path.slice(0, -1), true) : undefined;
    if (of === 'key' && isMap(parent)) {
      const pair = parent.items.find(item => isScalar(item.key) && String(item.key.value) === String(last));
      if (isScalar(pair?.key)) return pair.key.range?.[0];
    }
    const node = path.length === 0 ? this.#document.contents : this.#document.getIn(path, true);
    return isScalar(node) || isCollection(node) ? node.range?.[0] : undefined;
  }

  #notYaml(error: YAMLError, text: string): Complaint {
    const { line, col } = this.#lines.linePos(error.pos[0]);
    return {
      where: `${this.name}:${line}:${col}`,
      line,
      column: col,
      path: '',
      reason: yamlReason(error, text),
    };
  }
}

/**
 * `file` stands in complaints as it is written here. Throws `FileRefused` when it cannot be read,
 * or is no YAML.
 */
export function readYaml(file: string, cwd: string): YamlSource {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(resolve(cwd, file)));
  } catch (error) {
    throw new FileRefused([
      { where: file, line: 0, column: 0, path: '', reason: `cannot be read: ${whyNotRead(error)}` },
    ]);
  }
  return YamlSource.parse(file, text);
}

/** Null when it is nested so deeply that the parser runs out of stack. */
function parsed(text: string, lineCounter: LineCounter): Document.Parsed | null {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * Finding of the parser, in words that do not need its manual. The text around the place is not
 * quoted: it may be a secret.
 */
function yamlReason(error: YAMLError, text: string): string {
  switch (error.code) {
    case 'DUPLICATE_KEY': {
      const key = /^[\w-]+/.exec(text.slice(error.pos[0]))?.[0];
      return `${key ? `"${key}"` : 'this key'} is written twice in one map: keep one`;
    }
    case 'TAB_AS_INDENT':
      return 'a tab: YAML is indented with spaces';
    case 'MULTIPLE_DOCS':
      return 'a second document begins here (`---`): a file holds one';
    case 'BAD_ALIAS':
      return 'an alias (`*`) without the anchor (`&`) that it names; put the text in quotes if it is meant as text';
    case 'TAG_RESOLVE_FAILED':
      return 'an unknown tag (`!`): put the text in quotes if it is meant as text';
    case 'MISSING_CHAR':
      return `something is not closed here: ${error.message.toLowerCase()}`;
    case 'BAD_INDENT':
      if (error.message.includes('end with'))
        return `a [ or { that was opened above is not closed with ${error.message.at(-1)}`;
      return 'indented differently from its neighbours: keys of one map begin in the same column';
    case 'RESOURCE_EXHAUSTION':
      return tooDeep;
    case 'BLOCK_AS_IMPLICIT_KEY':
      return 'a second `: ` in one value: put the value in quotes, or begin a new line';
    default:
      return `no YAML: ${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`;
  }
}

/** One tab or quote makes the parser stumble several times on a line; a person needs the first. */
function withoutEchoes(complaints: readonly Complaint[]): Complaint[] {
  const seen = new Set<number>();
  return complaints.filter(({ line }) => !seen.has(line) && seen.add(line));
}

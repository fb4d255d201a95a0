import type { Sentence, Table } from './sentences.ts';

/** Stands for each value of a sentence while its constant pieces are looked for. */
const mark = '\u0000';
/** Fewer letters than these could be anybody's text. */
const constantMin = 8;

/** A text as a sentence of a table made it. */
interface KnownText {
  /** One more than there are values. */
  readonly constants: readonly string[];
  readonly values: readonly string[];
  /** Text behind the sentence. */
  readonly rest: string;
}

/**
 * Recognizes English texts that sentences made, so that their values can be told from their words.
 * A sentence whose words depend on its values is known only in the form that it has with most.
 */
export class KnownTexts {
  readonly #forms: readonly (readonly string[])[];

  constructor(tables: readonly Table[]) {
    this.#forms = tables
      .flatMap(({ texts }) => Object.values(texts).map(formOf))
      .filter(form => lengthOf(form) >= constantMin)
      .sort((a, b) => lengthOf(b) - lengthOf(a));
  }

  /** Sentence that `text` begins with, or null. `end`: begins what may stand behind it. */
  read(text: string, end: string): KnownText | null {
    for (const form of this.#forms) {
      const known = readAs(form, text, end);
      if (known) return known;
    }
    return null;
  }
}

const lengthOf = (form: readonly string[]): number => form.reduce((sum, piece) => sum + piece.length, 0);

function formOf({ en }: Sentence<never>): string[] {
  if (typeof en === 'string') return [en];
  const values = new Proxy({}, { get: () => mark });
  try {
    return (en as (values: object) => string)(values).split(mark);
  } catch {
    return []; // it computes with its values
  }
}

function readAs(form: readonly string[], text: string, end: string): KnownText | null {
  const [first, ...more] = form;
  if (first === undefined || !text.startsWith(first)) return null;
  const values: string[] = [];
  let at = first.length;
  for (const [index, piece] of more.entries()) {
    const isLast = index === more.length - 1;
    const found = piece === '' && isLast ? text.length : text.indexOf(piece, at);
    if (found < 0) return null;
    values.push(text.slice(at, found));
    at = found + piece.length;
  }
  const rest = text.slice(at);
  return rest === '' || rest.startsWith(end) ? { constants: form, values, rest } : null;
}

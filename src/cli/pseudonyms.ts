import { getSystemErrorMap } from 'node:util';
import { KnownTexts } from '../words/known-texts.ts';
import { logMessages } from '../words/log/messages.ts';
import { reasonTables } from '../words/reasons.ts';
import type { Table } from '../words/sentences.ts';
import { boxWarnings } from '../words/warnings.ts';

const errorCodes = new Set([...getSystemErrorMap().values()].map(([code]) => code));
const isErrorCode = (word: string): boolean => errorCodes.has(word) || /^ERR_[A-Z0-9_]{1,40}$/.test(word);

/** Fields of reports whose texts are words of the program. */
const wordsOfProgram = new Set([
  ...[
    'code',
    'why_code',
    'kind',
    'state',
    'severity',
    'via',
    'door',
    'outcome',
    'action',
    'role',
    'level',
    'part',
    'what',
    'mode',
  ],
]);
/** Values that come from the program, the system or the config. `of`: the server of a check. */
const plainFields: Readonly<Record<string, RegExp>> = {
  version: /^\d[\w.+-]{0,40}$/,
  timezone: /^[A-Z][\w+/-]{1,40}$/,
  of: /^(?:mqtts?|https?):\/\/[\w.-]{1,253}(?::\d{1,5})?$/,
};
const isWord = (text: string): boolean => /^[a-z][a-z0-9_ .-]{0,60}$/.test(text);
const isOfProgram = (field: string, text: string): boolean =>
  wordsOfProgram.has(field) ? isWord(text) : (plainFields[field]?.test(text) ?? false);

/** Frames of a stack name functions and files of the program. */
const frame = /^ {4}at (?:async )?[\w.#<>$ [\]]{0,120}\(?(?:file:\/\/|node:)?[\w./@-]{1,200}:\d+:\d+\)?$/;

/**
 * Makes reports and log lines fit for somebody who helps. Text that may name a person (a name, an
 * ID, a number, the words of somebody else) becomes a number in brackets, the same for the same
 * text within one bundle, which nobody can compute back. Words of the program, codes of errors and
 * what `kept` lists stay.
 */
export class Pseudonyms {
  readonly #kept: ReadonlySet<string>;
  readonly #numbers = new Map<string, number>();
  readonly #lines = new KnownTexts(logMessages as readonly Table[]);
  readonly #reasons = new KnownTexts([...reasonTables, boxWarnings] as readonly Table[]);

  /** `kept`: ids of devices. */
  constructor(kept: Iterable<string> = []) {
    this.#kept = new Set(kept);
  }

  text(text: string): string {
    if (text === '' || this.#kept.has(text)) return text;
    const reason = this.#reasons.read(text, ': ');
    if (reason)
      return this.#filled(reason.constants, reason.values) + (reason.rest && `: ${this.#masked(reason.rest)}`);
    return this.#masked(text);
  }

  /** Numbers, yes and no, and words of the program stay; other texts as `text` makes them. */
  report(value: unknown, field = ''): unknown {
    if (typeof value === 'string') return isOfProgram(field, value) ? value : this.text(value);
    if (Array.isArray(value)) return value.map(one => this.report(one, field));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        /^[a-z][a-z_]*$/i.test(key) ? key : this.text(key),
        this.report(inner, key),
      ]),
    );
  }

  /** A line of the log of the program: `store: the message (field=value)`. */
  line(line: string): string {
    if (frame.test(line) || line.startsWith('FATAL ERROR: ')) return line;
    const [part = ''] = /^[a-z][a-z ]{0,20}: /.exec(line) ?? [];
    for (const before of new Set([part, ''])) {
      const known = this.#lines.read(line.slice(before.length), ' (');
      if (known)
        return before + this.#filled(known.constants, known.values) + (known.rest && ` (${this.#masked(known.rest)})`);
    }
    const [error = ''] = /^(?:Uncaught )?[A-Z][A-Za-z]{0,40}Error\b/.exec(line) ?? [];
    return line.trim() === '' ? '' : [error, this.#masked(line)].filter(Boolean).join(': ');
  }

  #filled(constants: readonly string[], values: readonly string[]): string {
    return constants.map((piece, index) => piece + (index < values.length ? this.text(values[index]!) : '')).join('');
  }

  #masked(text: string): string {
    const number = this.#numbers.get(text) ?? this.#numbers.size + 1;
    this.#numbers.set(text, number);
    const kept = text.split(/[^\w-]+/).filter(word => isErrorCode(word) || this.#kept.has(word));
    return [`[${number}]`, ...new Set(kept)].join(' ');
  }
}

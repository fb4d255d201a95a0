/** Values that a sentence names. */
export type Params = Readonly<Record<string, string | number>>;

/** A sentence in English, with the code and the values that say it in another language. */
export interface Reason {
  readonly reason: string;
  readonly code: string;
  readonly params: Params;
}

/** Code and values of a sentence whose text is elsewhere. */
export interface Coded {
  readonly code?: string | undefined;
  readonly params?: Params | undefined;
}

/** A reason as an answer has it; words of others, such as an error of the system, have no code. */
export interface GivenReason extends Coded {
  readonly reason: string;
}

/** The same where the text is called `why`; empty: there is no reason. */
export interface Why extends Coded {
  readonly why: string;
}

export const noWhy: Why = { why: '', code: undefined, params: undefined };

/** All three fields, so that spreading them replaces those of an earlier reason. */
export const whyOf = ({ reason, code, params }: GivenReason): Why => ({ why: reason, code, params });

/** The fields of a reason out of a larger object. */
export const whyIn = ({ why, code, params }: Why): Why => ({ why, code, params });

/** Values of a sentence that ends with a reason: the text and code of it, and what it names. */
export type WithWhy = Params & { readonly why: string; readonly why_code: string };

export const withWhy = ({ why, code, params }: Why): WithWhy => ({ ...params, why, why_code: code ?? '' });

/** Code and values of a reason as one text for a store; null: it has none. */
export const codedText = (coded: Coded | undefined): string | null =>
  coded?.code === undefined ? null : JSON.stringify(codedIn(coded));

/** Out of a larger object; undefined: it has no code. */
export const codedIn = ({ code, params }: Coded): Coded | undefined =>
  code === undefined ? undefined : { code, params };

export const parseCoded = (text: string | null): Coded | undefined =>
  text === null ? undefined : (JSON.parse(text) as Coded);

/** An error whose message is a sentence of the box. */
export class SaidError extends Error {
  readonly said: GivenReason;

  constructor(said: GivenReason, options: ErrorOptions = {}) {
    super(said.reason, options);
    this.said = said;
  }
}

export type Written<P> = string | ((params: P) => string);

export interface Sentence<P> {
  readonly en: Written<P>;
  readonly zh: Written<P>;
}

type ParamsOf<P> = unknown extends P ? [] : [params: P];

/** Values that `say` takes beside the code of a sentence. */
export type ValuesOf<S> = S extends Sentence<infer P> ? ParamsOf<P> : never;

interface Sentences<T> {
  /** Each code has both languages. */
  readonly texts: { readonly [Code in keyof T]: Sentence<T[Code]> };
  say<Code extends keyof T & string>(code: Code, ...params: ParamsOf<T[Code]>): Reason;
}

/** Any sentences, for a reader of codes. */
export interface Table {
  readonly texts: Readonly<Record<string, Sentence<never>>>;
}

export const written = <P>(text: Written<P>, params: P): string => (typeof text === 'string' ? text : text(params));

/**
 * Sentences for people, each once and in both languages, by code: the English text says which
 * values it takes, and the Chinese one gets the same.
 */
export function sentences<T>(texts: { readonly [Code in keyof T]: Sentence<T[Code]> }): Sentences<T> {
  return {
    texts,
    say(code, ...[values]) {
      const params: Params = values ?? {};
      return { reason: written(texts[code].en, params as never), code, params };
    },
  };
}

/** In Chinese; what none of the tables knows, such as the code of a newer box, stays English. */
export const inChinese = (given: GivenReason, ...tables: readonly Table[]): string => said('zh', given, tables);

/** The same in English: of a reason whose code and values alone are at hand. */
export const inEnglish = (given: GivenReason, ...tables: readonly Table[]): string => said('en', given, tables);

/** As a sentence of its own. */
export function asSentence(language: 'en' | 'zh', given: GivenReason, ...tables: readonly Table[]): string {
  const text = said(language, given, tables);
  return language === 'zh' ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function said(language: 'en' | 'zh', { reason, code, params = {} }: GivenReason, tables: readonly Table[]): string {
  const table = code === undefined ? undefined : tables.find(({ texts }) => Object.hasOwn(texts, code));
  return table ? written(table.texts[code!]![language], params as never) : reason;
}

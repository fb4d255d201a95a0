import { z } from 'zod';
import { foldedNumber, hasDirectionControl } from '../platform/folded-number.ts';
import { parseAddress } from '../runtime/address.ts';
import { didYouMean } from '../runtime/did-you-mean.ts';
import { listErrors } from '../words/lists.ts';

/**
 * The kinds of value in config and site files. Each has its own error text, which says what is
 * wrong and what to write, and never quotes the value: it may be a secret.
 */

/**
 * Contents of a schema's `meta` for the loader, `check-config --effective` and the documentation.
 */
export interface KeyMeta {
  readonly description?: string;
  /** Masked wherever values are printed. */
  readonly secret?: boolean;
  /** A change of it leaves the secrets beside it: it does not say where these go, or as whom. */
  readonly besideSecret?: boolean;
  /**
   * `path`: stays a path. `content`: a path, replaced by the file's content. Absent: only
   * `file:PATH` is replaced.
   */
  readonly file?: 'path' | 'content';
  /** Form of the value, for the reference. */
  readonly kind?: string;
}

type Issue = { readonly code?: string; readonly input?: unknown };

const notText = ({ input }: Issue, what: string): string => {
  if (input === undefined) return `missing: write ${what}`;
  if (input === null || input === '') return `empty: write ${what}, or remove the key`;
  if (typeof input === 'number' || typeof input === 'boolean')
    return `YAML reads a ${typeof input} here: put it in quotes, so that it stays text as written`;
  return `not ${what}: a ${Array.isArray(input) ? 'list' : 'map'} stands here`;
};

/** Characters as a person counts them (code points), as SPEC section 8 means its limits. */
const characters = (text: string): number => [...text].length;

export const text = (what = 'text', max = 1000) =>
  z
    .string({ error: issue => notText(issue, what) })
    .refine(value => value.length > 0, { error: `empty: write ${what}, or remove the key`, abort: true })
    .refine(value => characters(value) <= max, {
      error: issue => `${characters(String(issue.input))} characters: at most ${max} are allowed`,
    });

/**
 * A file that the config names may be longer than a written value, such as a chain of certificates.
 */
export const fileText = (what: string) => text(what, 1 << 20);

/** Text that may be empty. */
export const optionalText = (max: number, what = 'text') =>
  z
    .string({ error: issue => notText({ input: issue.input === null ? [] : issue.input }, what) })
    .refine(value => characters(value) <= max, {
      error: issue => `${characters(String(issue.input))} characters: at most ${max} are allowed`,
    });

/** An id or number of a person (folded-number.ts). */
export const personNumber = (what: string, max: number) =>
  text(what, max)
    .refine(value => foldedNumber(value) !== '', { error: `blank: write ${what}` })
    .transform(foldedNumber);

/** Of a person or department. */
export const personName = (max: number) =>
  text('a name', max).refine(value => !hasDirectionControl(value), { error: listErrors.say('turns_direction').reason });

export const pattern = (expression: RegExp, what: string, max = 1000) =>
  text(what, max).refine(value => expression.test(value), { error: `not ${what}` });

export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, {
    error: ({ input }) => {
      const list = words.length === 1 ? words[0] : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
      return `write ${list}${typeof input === 'string' ? didYouMean(input, words) : ''}`;
    },
  });

export const whole = (min: number, max: number, unit = '') => {
  const error = `not a whole number from ${min} to ${max}${unit && ` (${unit})`}`;
  return z
    .int({
      error: ({ input }) => (input === undefined ? `missing: write a whole number from ${min} to ${max}` : error),
    })
    .min(min, { error })
    .max(max, { error });
};

export const yesOrNo = () => z.boolean({ error: () => 'write true or false' });

/**
 * An address of another machine. The error says what was expected and never quotes the address,
 * which may contain a password.
 */
export const url = (...schemes: readonly string[]) => {
  const example = `${schemes[0]}://host`;
  const list = schemes.map(scheme => `${scheme}://`).join(' or ');
  return text(`an address such as ${example}`).superRefine((value, context) => {
    const parsed = URL.canParse(value) ? new URL(value) : null;
    if (!parsed?.hostname || !/^[a-z]+:\/\//i.test(value))
      context.addIssue({ code: 'custom', message: `not an address: write ${list} and the host, such as ${example}` });
    else if (!schemes.includes(parsed.protocol.slice(0, -1)))
      context.addIssue({ code: 'custom', message: `begins with ${parsed.protocol}//: it must begin with ${list}` });
    else if (parsed.username || parsed.password)
      context.addIssue({ code: 'custom', message: 'holds a user name or password: secrets have keys of their own' });
  });
};

/** Adds the description of a key, for the loader, `check-config --effective` and docs/config.md. */
export const documented = <Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  more: Omit<KeyMeta, 'description'> = {},
) => schema.meta({ description, ...more });

export const listener = (byDefault: string, description: string) =>
  documented(
    text('host:port, or "off"')
      .refine(value => parseAddress(value) !== undefined, { error: 'not an address: write host:port, or "off"' })
      .default(byDefault),
    description,
    { kind: 'host:port or off' },
  );

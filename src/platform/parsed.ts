import type { Refusal, RefusalCode } from './refusals.ts';

/**
 * The result of parsing untrusted input: a value that needs no further check, or a refusal with the
 * reason.
 */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

export const refuse = (code: RefusalCode, detail = ''): { readonly ok: false; readonly refusal: Refusal } => ({
  ok: false,
  refusal: { code, detail },
});

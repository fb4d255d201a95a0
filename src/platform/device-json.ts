import { isUtf8 } from 'node:buffer';
import { isObject, parsedDigitByDigit, textOf, withoutPadding } from './json-bytes.ts';
import { ok, type Parsed, refuse } from './parsed.ts';
import { reasonOf, unreadableWhy } from './unreadable.ts';

/**
 * The one reading of what a device sends as JSON, past its padding. Refuses as `malformed` what is
 * no UTF-8 JSON object; the detail is the sentence of an `UnreadableReason`.
 */
export function readDeviceJson(bytes: Uint8Array): Parsed<Record<string, unknown>> {
  const inner = withoutPadding(bytes);
  let value: unknown;
  try {
    if (!isUtf8(inner)) throw new SyntaxError();
    const text = textOf(inner);
    value = parsedDigitByDigit(text);
  } catch {
    return refuse('malformed', unreadableWhy(reasonOf(bytes)).why);
  }
  return isObject(value) ? ok(value) : refuse('malformed', unreadableWhy('object').why);
}

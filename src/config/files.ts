import { readFileSync } from 'node:fs';
import { ok } from '../platform/parsed.ts';
import { resolvePath } from '../runtime/resolve-path.ts';

const bytesMax = 1 << 20;

type FileText = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly reason: string };

/**
 * Reads a value from its file: UTF-8, at most 1 MiB, without a line end at the end. The reason of a
 * refusal never quotes the content.
 */
export function readValue(path: string): FileText {
  let text: string;
  try {
    const bytes = readFileSync(path);
    if (bytes.length > bytesMax) return { ok: false, reason: `${path} is larger than 1 MiB: is it the right file?` };
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
  } catch (error) {
    return { ok: false, reason: `cannot read ${path}: ${whyNotRead(error)}` };
  }
  return text === '' ? { ok: false, reason: `${path} is empty: write the value into it` } : ok(text);
}

/** Replaces `file:PATH` in the entries of a list of maps, such as webhooks. */
export function readValuesOfList(
  list: readonly unknown[],
  folder: string,
  refuse: (at: readonly (number | string)[], reason: string) => void,
): void {
  for (const [at, entry] of list.entries())
    for (const [name, written] of Object.entries(Object(entry) as Record<string, unknown>)) {
      if (typeof written !== 'string' || !written.startsWith('file:')) continue;
      const read = readValue(resolvePath(written, folder));
      if (read.ok) (entry as Record<string, unknown>)[name] = read.value;
      else refuse([at, name], read.reason);
    }
}

/** A system error in words, with what to do. */
export function whyNotRead(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied: let the user that runs this read it';
    case 'EISDIR':
      return 'it is a folder';
    case 'ENOTDIR':
      return 'a part of the path is no folder';
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return 'it is not UTF-8 text';
    default:
      return message;
  }
}

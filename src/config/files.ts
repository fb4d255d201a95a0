import { readFileSync } from 'node:fs';
import { ok } from '../platform/parsed.ts';
import { resolvePath } from '../runtime/resolve-path.ts';
import { fileFaults, readErrorEn } from '../words/config-files.ts';
import type { Reason } from '../words/sentences.ts';

const bytesMax = 1 << 20;

type FileText = { readonly ok: true; readonly value: string } | ({ readonly ok: false } & Reason);

const { say } = fileFaults;

/**
 * Reads a value from its file: UTF-8, at most 1 MiB, without a line end at the end. The reason of a
 * refusal never quotes the content.
 */
export function readValue(path: string): FileText {
  let text: string;
  try {
    const bytes = readFileSync(path);
    if (bytes.length > bytesMax) return { ok: false, ...say('file_too_large', { file: path }) };
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
  } catch (error) {
    return { ok: false, ...say('file_unreadable', { file: path, error: readErrorOf(error) }) };
  }
  return text === '' ? { ok: false, ...say('file_empty', { file: path }) } : ok(text);
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
export const whyNotRead = (error: unknown): string => readErrorEn(readErrorOf(error));

const readErrorOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code !== undefined && readErrorEn(code) !== code ? code : message;
};

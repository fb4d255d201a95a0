import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const bytesMax = 40 << 20;

/** Standard output up to a bound; empty where the program is missing or fails. */
export const outputOf = (program: string, words: readonly string[]): Promise<string> =>
  promisify(execFile)(program, [...words], { maxBuffer: bytesMax, timeout: 30_000 }).then(
    ({ stdout }) => stdout,
    (error: { readonly code?: string; readonly stdout?: string }) =>
      error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER' ? (error.stdout ?? '') : '',
  );

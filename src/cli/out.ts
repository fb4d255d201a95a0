import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { type Call, CommandFailed, textOption } from './command.ts';

/**
 * Standard output, or the file of `--out`, which only its owner may read unless `mode` allows more.
 */
export function openOut(
  call: Call,
  mode = 0o600,
): AsyncDisposable & { write(chunk: string | Uint8Array): Promise<void> } {
  const file = textOption(call, 'out');
  if (file === undefined || file === '-')
    return { write: chunk => call.print(chunk), [Symbol.asyncDispose]: async () => {} };
  const stream = createWriteStream(resolve(call.cwd, file), { mode });
  const failed = once(stream, 'error').then(([error]) => {
    throw new CommandFailed(`${file}: cannot be written: ${(error as Error).message}`);
  });
  failed.catch(() => {});
  return {
    async write(chunk) {
      if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), failed]);
    },
    async [Symbol.asyncDispose]() {
      stream.end();
      await Promise.race([once(stream, 'close'), failed]);
    },
  };
}

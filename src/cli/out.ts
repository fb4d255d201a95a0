import { once } from 'node:events';
import { createWriteStream, existsSync, realpathSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Call, CommandFailed, textOption } from './command.ts';

interface Out extends AsyncDisposable {
  write(chunk: string | Uint8Array): Promise<void>;
  /** All of it was written: only now a file has its name. */
  done(): Promise<void>;
}

/**
 * Standard output, or the file of `--out`, which only its owner may read unless `mode` allows more.
 * A file is written beside its place and moved there when it is whole: an export that was cut off
 * must not look like one that is complete.
 */
export function openOut(call: Call, mode = 0o600): Out {
  const file = textOption(call, 'out');
  if (file === undefined || file === '-')
    return {
      write: chunk => call.print(Buffer.from(chunk)),
      done: async () => {},
      [Symbol.asyncDispose]: async () => {},
    };
  const named = resolve(call.cwd, file);
  const place = existsSync(named) ? realpathSync(named) : named;
  // A pipe or a device is no place to move a file to.
  const isSpecial = existsSync(place) && !statSync(place).isFile();
  const written = isSpecial ? place : join(dirname(place), `.${basename(place)}.part`);
  const stream = createWriteStream(written, { mode });
  const failed = once(stream, 'error').then(([error]) => {
    throw new CommandFailed(`${file}: cannot be written: ${(error as Error).message}`);
  });
  failed.catch(() => {});
  let isEnded = false;
  const end = async () => {
    if (isEnded) return;
    isEnded = true;
    stream.end();
    await Promise.race([once(stream, 'close'), failed]);
  };
  let isDone = false;
  return {
    async write(chunk) {
      if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), failed]);
    },
    async done() {
      await end();
      if (!isSpecial) await rename(written, place);
      isDone = true;
    },
    async [Symbol.asyncDispose]() {
      try {
        await end();
      } finally {
        if (!isDone && !isSpecial) await rm(written, { force: true });
      }
    },
  };
}

import { once } from 'node:events';
import {
  constants,
  createWriteStream,
  existsSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { asCaller } from '../runtime/become-owner.ts';
import { type Call, CommandFailed, textOption } from './command.ts';

interface Out extends AsyncDisposable {
  write(chunk: string | Uint8Array): Promise<void>;
  /** All of it was written: only now a file has its name. */
  done(): Promise<void>;
}

const { O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;
const newFile = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;

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
  const failure = (error: Error) => new CommandFailed(`${file}: cannot be written: ${error.message}`);
  let fd: number;
  try {
    fd = asCaller(() => openSync(written, isSpecial ? 'w' : newFile, mode));
  } catch (error) {
    throw failure(error as Error);
  }
  const stream = createWriteStream(written, { fd });
  const failed = once(stream, 'error').then(([error]) => {
    throw failure(error as Error);
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
      if (!isSpecial) asCaller(() => renameSync(written, place));
      isDone = true;
    },
    async [Symbol.asyncDispose]() {
      try {
        await end();
      } finally {
        if (!isDone && !isSpecial) asCaller(() => rmSync(written, { force: true }));
      }
    },
  };
}

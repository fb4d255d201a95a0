import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Config } from '../config/index.ts';
import type { FilePlace } from '../runtime/file-place.ts';

/** `store.files`, or the data directory. */
export function filePlace({ data_dir: dataDir, store }: Config): FilePlace {
  if (store.files === undefined) return { folder: dataDir, process: null };
  const place = `${hostname()}\0${resolve(dataDir)}`;
  return { folder: store.files, process: createHash('sha256').update(place).digest('hex').slice(0, 12) };
}

import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';

const socketName = 'gatehouse.sock';
/** sun_path of Linux holds 108 bytes with the end mark. */
const pathBytesMax = 107;

/**
 * The path of a box's socket, `DATA_DIR/gatehouse.sock`. Where that is longer than a socket address
 * may be, the folder is opened and the path leads through it; dispose after binding or connecting.
 */
export function socketPath(dataDir: string): { readonly path: string } & Disposable {
  const path = join(dataDir, socketName);
  if (Buffer.byteLength(path) <= pathBytesMax) return { path, [Symbol.dispose]() {} };
  const folder = openSync(dataDir, constants.O_RDONLY | constants.O_DIRECTORY);
  return { path: `/proc/self/fd/${folder}/${socketName}`, [Symbol.dispose]: () => closeSync(folder) };
}

/** The path of the socket in the file system, to remove it and to set its mode. */
export const socketFile = (dataDir: string): string => join(dataDir, socketName);

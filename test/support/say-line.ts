import { writeSync } from 'node:fs';

const nobody = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes a line to standard output before it returns, for a process that may be killed right
 * afterwards. While the pipe is full, as its reader is slow, the process waits.
 */
export function sayLine(text: string): void {
  const bytes = Buffer.from(`${text}\n`);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(1, bytes, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(nobody, 0, 0, 1);
    }
  }
}

import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Texts in a temporary file that nobody else sees, read again by their number: a million of them
 * cost 8 MB of memory. The file is created with the first text and disappears with the process.
 */
export class Spool {
  #file: number | null = null;
  /** Where each begins, and after the last one where the next will begin. */
  #starts = new Float64Array(1024);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  append(text: string): void {
    this.#file ??= hiddenFile();
    if (this.#count + 1 === this.#starts.length) {
      const longer = new Float64Array(this.#starts.length * 2);
      longer.set(this.#starts);
      this.#starts = longer;
    }
    const start = this.#starts[this.#count]!;
    const bytes = Buffer.from(text);
    writeSync(this.#file, bytes, 0, bytes.length, start);
    this.#starts[++this.#count] = start + bytes.length;
  }

  read(index: number): string {
    const start = this.#starts[index]!;
    const bytes = Buffer.allocUnsafe(this.#starts[index + 1]! - start);
    readSync(this.#file!, bytes, 0, bytes.length, start);
    return bytes.toString('utf8');
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}

function hiddenFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-sim-'));
  const file = openSync(join(folder, 'records'), 'w+', 0o600);
  rmSync(folder, { recursive: true });
  return file;
}

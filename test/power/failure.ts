import { closeSync, openSync, readSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Findings } from './findings.ts';
import type { Moment } from './moments.ts';
import type { Recording, RecordingNotes } from './recording.ts';
import { bytesOfEntries, readWriteLog } from './write-log.ts';

/**
 * A moment at which something was lost, in one file that repeats it alone: a line of JSON (`Head`),
 * the disk before the first request, and the beginning of the log. Compressed.
 */
interface Head {
  readonly notes: RecordingNotes;
  readonly moment: Moment;
  readonly findings: Findings;
  readonly baseBytes: number;
}

/** Returns the name of the file that it wrote. */
export async function keepFailure(
  folder: string,
  { notes, base, log }: Recording,
  moment: Moment,
  findings: Findings,
): Promise<string> {
  const disk = await readFile(base);
  const head: Head = { notes, moment, findings, baseBytes: disk.length };
  const requests = beginning(log, bytesOfEntries(readWriteLog(log, moment.entries), moment.entries));
  const file = join(folder, `${notes.scenario}-${moment.entries}-${moment.kind}-${moment.seed}.cut`);
  await mkdir(folder, { recursive: true });
  await writeFile(file, gzipSync(Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), disk, requests])));
  return file;
}

/** What `keepFailure` wrote; the disk and the log are put into `folder`. */
export async function readFailure(file: string, folder: string): Promise<Head & { readonly recording: Recording }> {
  const bytes = gunzipSync(await readFile(file));
  const line = bytes.indexOf(10);
  const head = JSON.parse(bytes.subarray(0, line).toString()) as Head;
  const base = join(folder, 'base.img');
  const log = join(folder, 'log');
  await writeFile(base, bytes.subarray(line + 1, line + 1 + head.baseBytes));
  await writeFile(log, bytes.subarray(line + 1 + head.baseBytes));
  return { ...head, recording: { notes: head.notes, base, log } };
}

function beginning(path: string, bytes: number): Buffer {
  const result = Buffer.alloc(bytes);
  const file = openSync(path, 'r');
  try {
    for (let at = 0; at < bytes; ) {
      const read = readSync(file, result, at, bytes - at, at);
      if (read === 0) return result.subarray(0, at);
      at += read;
    }
    return result;
  } finally {
    closeSync(file);
  }
}

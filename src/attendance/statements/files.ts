import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson, statementHash } from './chain.ts';
import type { DayStatement, DeviceStatement, Statement } from './statement.ts';

/** A line of a statement file. */
interface ChainedStatement {
  readonly hash: string;
  readonly previous: string;
  readonly statement: Statement;
}

export interface DayLine extends ChainedStatement {
  readonly statement: DayStatement;
}
export interface DeviceLine extends ChainedStatement {
  readonly statement: DeviceStatement;
}

/** The folder in the data directory, or what processes share in its place; a file in it. */
const statementsFolder = 'statements';
const fileName = /^(\d{4}-\d{2}-\d{2})\.ndjson$/;

/**
 * One file for each day, `statements/2026-11-20.ndjson`: the statement of the box, then that of
 * each device, one a line, each with its hash and the one before it.
 */
export class StatementFiles {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, statementsFolder);
  }

  /** The days of which there is a file, oldest first. */
  async days(): Promise<string[]> {
    const names = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    return names.flatMap(name => fileName.exec(name)?.[1] ?? []).sort();
  }

  /** The lines of a day as they are written; null: there is no such file. */
  async lines(day: string): Promise<readonly string[] | null> {
    const text = await readFile(this.#file(day), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (text === null) return null;
    const lines = text.split('\n');
    // Behind the last line feed there is nothing, or what does not belong there.
    return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  }

  /** The statement of the box, and of `device` or of all; null: there is none that can be read. */
  async read(day: string, device?: string): Promise<{ box: DayLine; devices: DeviceLine[] } | null> {
    const [first, ...others] = (await this.lines(day)) ?? [];
    const box = first === undefined ? null : readLine(first);
    if (box?.statement.kind !== 'day') return null;
    const asked =
      device === undefined ? others : others.filter(line => line.includes(`"device":${JSON.stringify(device)}`));
    const devices = asked.map(readLine).filter(line => line?.statement.kind === 'device') as DeviceLine[];
    return { box: box as DayLine, devices };
  }

  /**
   * Replaces the file of a day atomically: after a power cut there is the whole file, or none of
   * it. On disk when it resolves. A process of a region that hung half-way fails when it goes on,
   * once another one has written the day.
   */
  async write(day: string, lines: readonly ChainedStatement[]): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const temporary = join(this.#folder, `.${day}.${randomBytes(6).toString('hex')}.new`);
    const file = await open(temporary, 'wx', 0o600);
    try {
      for (const line of lines) await file.write(`${lineOf(line)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, this.#file(day));
    for (const name of await readdir(this.#folder))
      if (name.startsWith('.') && name.endsWith('.new')) await rm(join(this.#folder, name), { force: true });
    await this.#syncFolder();
  }

  async remove(day: string): Promise<void> {
    await rm(this.#file(day), { force: true });
    await this.#syncFolder();
  }

  #file(day: string): string {
    return join(this.#folder, `${day}.ndjson`);
  }

  async #syncFolder(): Promise<void> {
    const folder = await open(this.#folder, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}

/** Statements with their hashes; `previous` is the hash of the statement before the first one. */
export function chained(statements: readonly Statement[], previous: string): ChainedStatement[] {
  let before = previous;
  return statements.map(statement => {
    const line = { hash: statementHash(before, canonicalJson(statement)), previous: before, statement };
    before = line.hash;
    return line;
  });
}

export const lineOf = ({ hash, previous, statement }: ChainedStatement): string =>
  canonicalJson({ hash, previous, statement });

/** Line of a statement file; null for any other text. */
export function readLine(text: string): ChainedStatement | null {
  try {
    const line = JSON.parse(text) as Partial<ChainedStatement> | null;
    const isLine =
      typeof line?.hash === 'string' && typeof line.previous === 'string' && typeof line.statement === 'object';
    return isLine && line.statement !== null ? (line as ChainedStatement) : null;
  } catch {
    return null;
  }
}

import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { FileRefused, type NamedFile } from '../config/index.ts';
import { putFile, removeFile } from '../operations/index.ts';
import { CommandFailed } from './command.ts';

/** Files from an installer, in the order in which they are taken. */
const fileNames = ['identity.yaml', 'gatehouse.yaml', 'site.yaml', 'wifi.yaml'] as const;
type FileName = (typeof fileNames)[number];

const problemsName = 'gatehouse-problems.txt';
/**
 * Names the files that were taken, while they are wiped: found after a power cut, the rest of them
 * is.
 */
const wipingName = 'gatehouse-taken.tmp';
const bytesMax = 16 << 20;

/**
 * The partition on which an installer drops settings: FAT, so names have no case, files no owner.
 * What was taken is wiped and removed, as far as flash memory lets itself be wiped.
 */
export class Card {
  readonly folder: string;
  readonly taken: string[] = [];
  readonly problems: string[] = [];

  constructor(folder: string) {
    this.folder = folder;
    if (!existsSync(folder) || !statSync(folder).isDirectory())
      throw new CommandFailed(`${folder}: no such folder: name the one where the card is mounted`);
    this.#wipe();
  }

  /**
   * Looks for a file of that name and has it taken; `take` answers which files beside it went with
   * it. What is wrong is noted, and nothing is removed.
   */
  async take(name: FileName, take: (name: string) => string[] | Promise<string[]>): Promise<void> {
    for (const other of this.#nearly(name))
      this.problems.push(`${other}: not read under this name: call it ${name} (Windows hides the ends of names)`);
    const found = this.#named(name);
    if (found === undefined) return;
    const beside = await this.settle(() => {
      const size = statSync(join(this.folder, found));
      if (!size.isFile() || size.size > bytesMax)
        throw new CommandFailed(`${found}: no file of settings: it is a folder, or larger than 16 MiB`);
      return take(found);
    });
    if (!beside) return;
    // Files that another file of settings also names stay until that one is taken.
    const others = fileNames.filter(one => one !== name).map(one => this.#textOf(one));
    const gone = [found, ...beside.filter(one => !others.some(text => text.includes(one)))];
    putFile(join(this.folder, wipingName), gone.join('\n'), { mode: 0o600, owner: null });
    this.#wipe();
    this.taken.push(name);
  }

  /** Undefined: it failed, and the reason is noted. */
  async settle<T>(act: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof FileRefused) this.problems.push(...error.message.split('\n'));
      else this.problems.push((error as Error).message);
      return undefined;
    }
  }

  /**
   * The files on the card that `name` names, by their path there. Those elsewhere are the box's own
   * and stay. Throws `FileRefused` where one has a path that would mean another file, or none, once
   * the settings are in force.
   */
  beside(name: string, files: readonly NamedFile[], reserved: readonly string[] = []): string[] {
    const inside: string[] = [];
    for (const { written, file } of files) {
      const path = relative(this.folder, file);
      if (path.startsWith('..') || path === '') {
        if (resolve(written) === written) continue;
        throw refused(
          name,
          `${written} lies outside the card: write the path of a file on the card, such as ./box.key`,
        );
      }
      if (resolve(written) === written)
        throw refused(name, `${written} lies on the card: write it as ./${path}, since the card may be elsewhere`);
      if (reserved.includes(path.toLowerCase()))
        throw refused(name, `${written} has a name that the box uses itself: give it another`);
      inside.push(path);
    }
    return inside;
  }

  /** For the installer, who finds it when the card is back in a computer; gone when all is well. */
  tellProblems(): void {
    const file = join(this.folder, problemsName);
    if (this.problems.length === 0) {
      if (existsSync(file)) removeFile(file);
      return;
    }
    const lines = [
      'Gatehouse could not take all settings from this card. What was in force before still is.',
      'Correct the places below (file:line:column), put the card back and start the box. This file goes away when all is well.',
      '',
      '设备未能采用本卡上的全部设置，原有设置仍然有效。',
      '请更正下列位置（文件:行:列），把卡放回设备并重新启动。全部正确后，本文件会自动消失。',
      '',
      ...this.problems,
      '',
    ];
    // Windows reads it: a mark for UTF-8, and its line ends.
    putFile(file, `\ufeff${lines.join('\r\n')}`, { mode: 0o644, owner: null });
  }

  #named(name: string): string | undefined {
    return readdirSync(this.folder).find(one => one.toLowerCase() === name);
  }

  #textOf(name: string): string {
    const file = join(this.folder, this.#named(name) ?? name);
    return existsSync(file) && statSync(file).isFile() ? readFileSync(file, 'utf8') : '';
  }

  /** Names that were probably meant to be that file. */
  #nearly(name: string): string[] {
    const stem = name.replace(/\.yaml$/, '');
    const names = ['.yml', '.yaml.txt', '.yml.txt', '.txt', '.yaml.yaml'].map(end => `${stem}${end}`);
    return readdirSync(this.folder).filter(one => names.includes(one.toLowerCase()));
  }

  #wipe(): void {
    const list = join(this.folder, wipingName);
    if (!existsSync(list)) return;
    for (const name of readFileSync(list, 'utf8').split('\n')) {
      const file = join(this.folder, name);
      if (relative(this.folder, file).startsWith('..') || !existsSync(file) || !statSync(file).isFile()) continue;
      wipe(file);
      removeFile(file);
    }
    removeFile(list);
  }
}

function wipe(file: string): void {
  const { size } = statSync(file);
  const handle = openSync(file, 'r+');
  try {
    const zeros = Buffer.alloc(Math.min(size, 1 << 16));
    for (let at = 0; at < size; ) at += writeSync(handle, zeros, 0, Math.min(zeros.length, size - at), at);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

const refused = (name: string, reason: string): FileRefused =>
  new FileRefused([{ where: name, line: 0, column: 0, path: '', reason }]);

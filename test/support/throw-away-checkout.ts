import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * A repository of its own with the tree under test as its one commit, made at a fixed moment, and
 * the coming release named in its changelog. For tests that set tags.
 */
export class ThrowAwayCheckout implements Disposable {
  readonly folder: string;
  /** Of its package.json, which has a heading in its changelog. */
  readonly version = manifest.version;

  /** `below`: the folder in which it is made. */
  constructor(below = tmpdir()) {
    this.folder = mkdtempSync(join(below, 'gatehouse-checkout-'));
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
    for (const file of listed.toString().split('\0').filter(Boolean)) {
      // Deleted, and not yet committed.
      if (!existsSync(join(root, file))) continue;
      mkdirSync(join(this.folder, dirname(file)), { recursive: true });
      cpSync(join(root, file), join(this.folder, file));
    }
    this.edit('CHANGELOG.md', text => text.replace(/^## Unreleased.*/m, `## ${this.version}`));
    symlinkSync(realpathSync(join(root, 'node_modules')), join(this.folder, 'node_modules'));
    this.git('init', '--quiet', '--initial-branch', 'main');
    this.commit('the tree');
  }

  edit(file: string, change: (text: string) => string): void {
    writeFileSync(join(this.folder, file), change(readFileSync(join(this.folder, file), 'utf8')));
  }

  git(...words: string[]): void {
    const moment = '2026-11-29T12:00:00Z';
    const person = ['-c', 'user.name=nobody', '-c', 'user.email=nobody@gatehouse.example'];
    execFileSync('git', [...person, ...words], {
      cwd: this.folder,
      env: { ...process.env, GIT_AUTHOR_DATE: moment, GIT_COMMITTER_DATE: moment },
    });
  }

  commit(subject: string): void {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', subject);
  }

  tag(name: string): void {
    this.git('tag', '--annotate', name, '--message', name);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

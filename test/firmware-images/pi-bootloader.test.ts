import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../firmware-images/raspberrypi/pi-bootloader', import.meta.url));
const autoboot = fileURLToPath(new URL('../../firmware-images/raspberrypi/autoboot.txt', import.meta.url));

/**
 * A Raspberry Pi as its boot loader files show it: which slot runs, which one the firmware starts
 * next.
 */
class Pi implements Disposable {
  readonly #root = mkdtempSync(join(tmpdir(), 'gatehouse-pi-'));

  constructor(running: 'A' | 'B' = 'A') {
    for (const folder of ['boot/card', 'data', 'run/systemd', 'proc'])
      mkdirSync(join(this.#root, folder), { recursive: true });
    writeFileSync(join(this.#root, 'boot/card/autoboot.txt'), readFileSync(autoboot));
    this.runs(running);
  }

  runs(slot: 'A' | 'B'): void {
    writeFileSync(join(this.#root, 'proc/cmdline'), `root=PARTUUID=47485047-05 ro rauc.slot=${slot}\n`);
  }

  /** The file that the firmware reads. */
  autoboot(): { inode: number; text: string } {
    const file = join(this.#root, 'boot/card/autoboot.txt');
    return { inode: statSync(file).ino, text: readFileSync(file, 'utf8') };
  }

  /** A start without a word to the firmware: what was in memory is gone. */
  reboot(): 'A' | 'B' {
    const param = join(this.#root, 'run/systemd/reboot-param');
    const tryboot = existsSync(param) && readFileSync(param, 'utf8') === '0 tryboot\n';
    return this.#start(tryboot);
  }

  powerCut(): 'A' | 'B' {
    return this.#start(false);
  }

  #start(tryboot: boolean): 'A' | 'B' {
    rmSync(join(this.#root, 'run/systemd/reboot-param'), { force: true });
    const text = readFileSync(join(this.#root, 'boot/card/autoboot.txt'), 'utf8');
    const [all, tried] = [...text.matchAll(/^boot_partition=(\d)$/gm)].map(match => match[1]);
    const slot = (tryboot ? tried : all) === '3' ? 'B' : 'A';
    this.runs(slot);
    return slot;
  }

  rauc(...words: string[]): string {
    const { stdout, stderr, status } = spawnSync(script, words, {
      env: { ...process.env, GATEHOUSE_ROOT: this.#root },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}

test('a flashed card starts slot A, and says so', () => {
  using pi = new Pi();
  expect(pi.powerCut()).toBe('A');
  expect(pi.rauc('get-primary')).toBe('A');
  expect(pi.rauc('get-current')).toBe('A');
  expect(pi.rauc('get-state', 'A')).toBe('good');
});

test('a new slot is tried at the next reboot, and kept once it marks itself good', () => {
  using pi = new Pi();
  pi.rauc('set-state', 'B', 'bad');
  pi.rauc('set-primary', 'B');
  expect(pi.rauc('get-primary')).toBe('B');
  expect(pi.reboot()).toBe('B');
  pi.rauc('set-state', 'B', 'good');
  expect(pi.rauc('get-state', 'B')).toBe('good');
  expect(pi.powerCut()).toBe('B');
  expect(pi.rauc('get-primary')).toBe('B');
});

test('a new slot that does not come up is tried once', () => {
  using pi = new Pi();
  pi.rauc('set-primary', 'B');
  expect(pi.reboot()).toBe('B');
  expect(pi.powerCut()).toBe('A');
  pi.rauc('set-state', 'B', 'bad');
  expect(pi.rauc('get-primary')).toBe('A');
  expect(pi.rauc('get-state', 'B')).toBe('bad');
  expect(pi.reboot()).toBe('A');
});

test('a power cut between the installation and the reboot leads back to what ran', () => {
  using pi = new Pi();
  pi.rauc('set-primary', 'B');
  expect(pi.powerCut()).toBe('A');
});

test('a slot that marks itself bad leaves the other one in force', () => {
  using pi = new Pi();
  pi.rauc('set-primary', 'B');
  expect(pi.reboot()).toBe('B');
  pi.rauc('set-state', 'B', 'bad');
  pi.rauc('set-primary', 'A');
  expect(pi.rauc('get-primary')).toBe('A');
  expect(pi.reboot()).toBe('A');
});

test('going back by hand tries the slot before, too', () => {
  using pi = new Pi();
  pi.rauc('set-primary', 'B');
  pi.reboot();
  pi.rauc('set-state', 'B', 'good');
  pi.rauc('set-primary', 'A');
  expect(pi.reboot()).toBe('A');
  pi.rauc('set-state', 'A', 'good');
  expect(pi.powerCut()).toBe('A');
});

test("the firmware's file is written over in its place: on FAT one that was put there would be empty at first", () => {
  using pi = new Pi();
  const before = pi.autoboot();
  pi.rauc('set-primary', 'B');
  pi.reboot();
  pi.rauc('set-state', 'B', 'good');
  const after = pi.autoboot();
  expect(after.inode).toBe(before.inode);
  expect(after.text).not.toBe(before.text);
  expect(after.text).toHaveLength(before.text.length);
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckName } from '../../platform/checks.ts';
import type { Finding } from './check.ts';

/**
 * Where an image mounts the partition that an installer writes to. On other machines none of this
 * is checked.
 */
const cardFolder = 'boot/card';

/** Checks for flashed boxes only. `root` is for tests. */
export function* applianceChecks(root = '/'): Generator<readonly [CheckName, () => Finding]> {
  if (!existsSync(join(root, cardFolder))) return;
  yield ['watchdog', () => watchdogCheck(root)];
  yield ['system', () => systemCheck(root)];
  for (const life of lifeTimes(root)) yield ['card', () => wearCheck(life)];
}

function watchdogCheck(root: string): Finding {
  const state = read(join(root, 'sys/class/watchdog/watchdog0/state'));
  if (state === 'active') return { state: 'ok', code: 'watchdog', message: 'the hardware starts a box that hangs' };
  return {
    state: 'warn',
    code: state === '' ? 'watchdog_none' : 'watchdog_idle',
    message: state === '' ? 'this machine has no hardware watchdog' : 'the hardware watchdog is not in use',
    remedy:
      state === ''
        ? 'nothing restarts it if it hangs as a whole: choose a board with one where that matters'
        : 'set RuntimeWatchdogSec= in the configuration of systemd, and restart the box',
  };
}

function systemCheck(root: string): Finding {
  const mounts = read(join(root, 'proc/mounts')).split('\n');
  const options = mounts.map(line => line.split(' ')).findLast(fields => fields[1] === '/')?.[3] ?? '';
  if (options.split(',').includes('ro')) return { state: 'ok', code: 'system', message: 'read-only, as it should be' };
  return {
    state: 'warn',
    code: 'system_writable',
    message: 'the system partition can be written: a power cut may harm it, and an update replaces what was changed',
    remedy: 'restart the box; if it stays so, flash the card again',
  };
}

/** eMMC reports its wear in tenths, for each of its two kinds of cells; SD cards report nothing. */
function* lifeTimes(root: string): Generator<number> {
  const folder = join(root, 'sys/block');
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const text = read(join(folder, name, 'device/life_time'));
    if (!/^0x[0-9a-f]{2} 0x[0-9a-f]{2}$/i.test(text)) continue;
    const tenths = Math.max(...text.split(' ').map(Number));
    if (tenths > 0) yield tenths;
  }
}

const wornTenths = 9;

function wearCheck(tenths: number): Finding {
  const facts = { percent: String(Math.min(100, tenths * 10)) };
  const message = `up to ${facts.percent} % of its life is used`;
  if (tenths < wornTenths) return { state: 'ok', code: 'card', facts, message };
  return {
    state: tenths > 10 ? 'failed' : 'warn',
    code: 'card_worn',
    facts,
    message,
    remedy: 'make a backup, flash a new card or board, and restore it there',
  };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}

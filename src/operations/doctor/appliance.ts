import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckName } from '../../platform/checks.ts';
import { isInContainer } from '../../runtime/container.ts';
import { found } from '../../words/checks.ts';
import type { Finding } from './check.ts';

/**
 * Where an image mounts the partition that an installer writes to. On other machines none of this
 * is checked.
 */
const cardFolder = 'boot/card';

/** Checks for flashed boxes and containers only. `root` is for tests. */
export function* applianceChecks(root = '/'): Generator<readonly [CheckName, () => Finding]> {
  if (isInContainer(root)) yield ['container', () => ({ state: 'ok', ...found('container') })];
  if (!existsSync(join(root, cardFolder))) return;
  yield ['watchdog', () => watchdogCheck(root)];
  yield ['system', () => systemCheck(root)];
  for (const life of lifeTimes(root)) yield ['card', () => wearCheck(life)];
}

function watchdogCheck(root: string): Finding {
  const state = read(join(root, 'sys/class/watchdog/watchdog0/state'));
  if (state === 'active') return { state: 'ok', ...found('watchdog') };
  return { state: 'warn', ...found(state === '' ? 'watchdog_none' : 'watchdog_idle') };
}

function systemCheck(root: string): Finding {
  const mounts = read(join(root, 'proc/mounts')).split('\n');
  const options = mounts.map(line => line.split(' ')).findLast(fields => fields[1] === '/')?.[3] ?? '';
  if (options.split(',').includes('ro')) return { state: 'ok', ...found('system') };
  return { state: 'warn', ...found('system_writable') };
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
  const percent = Math.min(100, tenths * 10);
  if (tenths < wornTenths) return { state: 'ok', ...found('card', { percent }) };
  return { state: tenths > 10 ? 'failed' : 'warn', ...found('card_worn', { percent }) };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}

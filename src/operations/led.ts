import { constants } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BoxState } from '../platform/box-state.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';

/**
 * Milliseconds lit and dark, in turn; dark 0: always lit. The patterns can be distinguished by eye.
 */
export const ledPatterns: Readonly<Record<BoxState, { readonly lit: number; readonly dark: number }>> = {
  starting: { lit: 100, dark: 100 },
  'setting up': { lit: 500, dark: 500 },
  ok: { lit: 1000, dark: 0 },
  'cloud away': { lit: 2900, dark: 100 },
  'needs attention': { lit: 100, dark: 900 },
  updating: { lit: 1500, dark: 1500 },
  'pull the plug': { lit: 250, dark: 250 },
};

interface Led extends AsyncDisposable {
  show(state: BoxState): void;
}

const delaysWithinMs = 2000;
const lookMs = 100;

/**
 * An LED of the board, as Linux shows it: `folder` is such as /sys/class/leds/ACT. The kernel's
 * timer blinks where there is one, else the program does. Disposing it leaves the LED dark. A
 * failure is logged once.
 */
export function openLed({ folder, clock, log }: { folder: string; clock: Clock; log: Log }): Led {
  let wished: BoxState | null = 'starting';
  let changing = new AbortController();
  let warned = false;
  // Must not create a file where there is no such LED.
  const flag = constants.O_WRONLY | constants.O_TRUNC;
  const write = (name: string, value: string | number) => writeFile(join(folder, name), `${value}\n`, { flag });
  const shine = async (lit: boolean) => {
    const max = Number((await readFile(join(folder, 'max_brightness'), 'utf8').catch(() => '')).trim());
    await write('brightness', lit ? (max > 0 ? max : 1) : 0);
  };
  const noTrigger = () => write('trigger', 'none').catch(() => {});

  /** The files of the timer come with it, and udev lets us write them a moment later. */
  const byKernel = async (lit: number, dark: number, until: AbortSignal): Promise<boolean> => {
    try {
      await write('trigger', 'timer');
    } catch {
      return false;
    }
    for (const end = clock.monotonic() + delaysWithinMs; ; ) {
      try {
        await write('delay_on', lit);
        await write('delay_off', dark);
        return true;
      } catch {
        if (until.aborted || clock.monotonic() >= end) return false;
        await clock.sleep(lookMs, until).catch(() => {});
      }
    }
  };

  const show = async (state: BoxState | null, until: AbortSignal): Promise<void> => {
    const { lit, dark } = state === null ? { lit: 0, dark: 1 } : ledPatterns[state];
    if (lit > 0 && dark > 0) {
      if (await byKernel(lit, dark, until)) return;
      await noTrigger();
      while (!until.aborted) {
        await shine(true);
        await clock.sleep(lit, until).catch(() => {});
        if (until.aborted) return;
        await shine(false);
        await clock.sleep(dark, until).catch(() => {});
      }
      return;
    }
    await noTrigger();
    await shine(lit > 0);
  };

  const run = async () => {
    for (;;) {
      const state = wished;
      const { signal } = changing;
      try {
        await show(state, signal);
      } catch (error) {
        if (!warned) log.warn({}, 'led_not_usable', { folder, why: (error as Error).message });
        warned = true;
      }
      if (state === null) return;
      if (!signal.aborted) await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()));
    }
  };
  const ended = run();
  const wish = (state: BoxState | null) => {
    if (state === wished || wished === null) return;
    wished = state;
    const before = changing;
    changing = new AbortController();
    before.abort();
  };
  return {
    show: wish,
    async [Symbol.asyncDispose]() {
      wish(null);
      await ended;
    },
  };
}

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ledPatterns, openLed } from '../../src/operations/led.ts';
import type { BoxState } from '../../src/platform/box-state.ts';
import { HandClock } from '../support/clock.ts';
import { keptLog } from '../support/kept-log.ts';
import { until } from '../support/until.ts';

/** A folder such as sysfs shows: files that are there, and no others can be made. */
async function fakeLed(files: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-led-'));
  for (const name of files) await writeFile(join(folder, name), name === 'max_brightness' ? '255\n' : '\n');
  const read = async (name: string) => (await readFile(join(folder, name), 'utf8')).trim();
  const clock = new HandClock();
  const { log, texts } = keptLog();
  return {
    folder,
    read,
    clock,
    warnings: texts.warn,
    led: openLed({ folder, clock, log }),
    shows: (name: string, value: string) => until(`${name} ${value}`, async () => (await read(name)) === value),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
const withTimer = ['brightness', 'max_brightness', 'trigger', 'delay_on', 'delay_off'];

describe('the LED', () => {
  test('blinks by the timer of the kernel, each state in its own way', async () => {
    await using board = await fakeLed(withTimer);
    await using led = board.led;
    await board.shows('delay_off', '100');
    expect(await board.read('trigger')).toBe('timer');
    for (const state of ['setting up', 'cloud away', 'needs attention', 'updating'] as const) {
      led.show(state);
      await board.shows('delay_off', String(ledPatterns[state].dark));
      expect(await board.read('delay_on')).toBe(String(ledPatterns[state].lit));
    }
    led.show('ok');
    await board.shows('brightness', '255');
    expect(await board.read('trigger')).toBe('none');
  });

  test('is blinked by the program where the kernel has no timer', async () => {
    await using board = await fakeLed(['brightness', 'max_brightness']);
    await using led = board.led;
    led.show('needs attention');
    await board.shows('brightness', '255');
    await until('a pause', () => board.clock.sleeping > 0);
    await board.clock.advance(100);
    await board.shows('brightness', '0');
    await until('a pause', () => board.clock.sleeping > 0);
    await board.clock.advance(900);
    await board.shows('brightness', '255');
    expect(board.warnings).toEqual([]);
    expect((await readdir(board.folder)).sort()).toEqual(['brightness', 'max_brightness']);
  });

  test('is blinked by the program where the timer may not be set', async () => {
    await using board = await fakeLed(['brightness', 'max_brightness', 'trigger']);
    await using led = board.led;
    led.show('setting up');
    for (let waited = 0; (await board.read('trigger')) !== 'none'; waited += 100) {
      expect(waited).toBeLessThan(5000);
      await until('a pause', () => board.clock.sleeping > 0);
      await board.clock.advance(100);
    }
    await board.shows('brightness', '255');
  });

  test('is dark when nobody serves', async () => {
    await using board = await fakeLed(withTimer);
    board.led.show('ok');
    await board.shows('brightness', '255');
    await board.led[Symbol.asyncDispose]();
    expect(await board.read('brightness')).toBe('0');
  });

  test('that is not there is said once, with what to do', async () => {
    await using board = await fakeLed([]);
    await using led = board.led;
    await until('a warning', () => board.warnings.length > 0);
    led.show('ok');
    led.show('cloud away');
    await led[Symbol.asyncDispose]();
    expect(board.warnings).toEqual([expect.stringMatching(/^box\.led .*ENOENT.*: name an LED of \/sys\/class\/leds$/)]);
  });

  test('has seven states, no two alike', () => {
    const states = Object.keys(ledPatterns) as BoxState[];
    expect(states).toHaveLength(7);
    const looks = states.map(state => Object.values(ledPatterns[state]).join());
    expect(new Set(looks).size).toBe(7);
  });
});

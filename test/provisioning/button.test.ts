import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../../src/platform/log.ts';
import { watchButton } from '../../src/provisioning/button.ts';
import { HandClock } from '../support/clock.ts';
import { until } from '../support/until.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-button-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function aButton(reads: string | null) {
  const file = join(folder, 'value');
  if (reads !== null) writeFileSync(file, reads);
  const clock = new HandClock();
  let held = 0;
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (_fields: object, message: string) => void warnings.push(message) };
  const button = watchButton({ file, pressed: '0', clock, log, held: () => held++ });
  /** The watcher sleeps between two looks at the file; each look is a read of a real file. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 200) {
      await until('it sleeps', () => clock.sleeping > 0);
      await clock.advance(200);
    }
    await until('it sleeps', () => clock.sleeping > 0);
  };
  return {
    press: () => writeFileSync(file, '0\n'),
    release: () => writeFileSync(file, '1\n'),
    pass,
    warnings,
    held: () => held,
    button,
  };
}

test('held for 5 s it is told once, and again only after it was let go', async () => {
  const here = aButton('1\n');
  await using _ = here.button;
  await here.pass(10_000);
  expect(here.held()).toBe(0);
  here.press();
  await here.pass(4600);
  expect(here.held()).toBe(0);
  await here.pass(1000);
  expect(here.held()).toBe(1);
  await here.pass(20_000);
  expect(here.held()).toBe(1);
  here.release();
  await here.pass(400);
  here.press();
  await here.pass(6000);
  expect(here.held()).toBe(2);
});

test('a press that is too short is nothing', async () => {
  const here = aButton('0\n');
  await using _ = here.button;
  await here.pass(3000);
  here.release();
  await here.pass(400);
  here.press();
  await here.pass(3000);
  expect(here.held()).toBe(0);
});

test('a file that cannot be read is said once, by its name', async () => {
  const here = aButton(null);
  await using _ = here.button;
  await here.pass(200_000);
  expect(here.warnings).toEqual([
    expect.stringMatching(/^provisioning\.button .*value: the button cannot be read: ENOENT/),
  ]);
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { watchButton } from '../../src/provisioning/button.ts';
import { HandClock } from '../support/clock.ts';
import { keptLog } from '../support/kept-log.ts';
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
  const held: string[] = [];
  const { log, texts } = keptLog();
  const button = watchButton({ file, pressed: '0', clock, log, held: what => void held.push(what) });
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
    warnings: texts.warn,
    held: () => held,
    button,
  };
}

async function letGoAfter(ms: number) {
  const here = aButton('1\n');
  await using _ = here.button;
  await here.pass(400);
  here.press();
  await here.pass(ms);
  expect(here.held()).toEqual([]);
  here.release();
  await here.pass(400);
  await here.pass(20_000);
  return { held: here.held(), warnings: here.warnings };
}

test.each([
  [4000, []],
  [6000, ['network']],
  [9000, ['network']],
  [11_000, ['all']],
  [28_000, ['all']],
])('let go after %i ms it asks for %j, once', async (ms, asked) => {
  expect(await letGoAfter(ms)).toEqual({ held: asked, warnings: [] });
});

test('a button that is stuck resets nothing, and is said to be', async () => {
  const { held, warnings } = await letGoAfter(40_000);
  expect(held).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining('was held for too long')]);
});

test('a press that was there at the start is nothing: the pin may be read the wrong way round', async () => {
  const here = aButton('0\n');
  await using _ = here.button;
  await here.pass(12_000);
  here.release();
  await here.pass(400);
  here.press();
  await here.pass(6000);
  here.release();
  await here.pass(400);
  expect(here.held()).toEqual(['network']);
});

test('a file that cannot be read is said once, by its name', async () => {
  const here = aButton(null);
  await using _ = here.button;
  await here.pass(200_000);
  expect(here.warnings).toEqual([expect.stringMatching(/^provisioning\.button .*value: cannot be read: ENOENT/)]);
});

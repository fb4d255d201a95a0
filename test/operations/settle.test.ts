import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { giveBack, giveBackPages, programPages, settleAfterStart } from '../../src/operations/settle.ts';
import { HandClock } from '../support/clock.ts';

const mapping = (head: string, anonymousKb: number) =>
  `${head}\nSize: 512 kB\nRss: 512 kB\nAnonymous: ${String(anonymousKb).padStart(10)} kB\nVmFlags: rd ex mr mw me sd\n`;

test('only pages that come from a file, as they are in it, are given back', () => {
  const smaps = [
    mapping('55d0c0000000-55d0c0080000 r-xp 00001000 fe:00 1234  /usr/bin/gatehouse', 0),
    mapping('55d0c0080000-55d0c0100000 r--p 00081000 fe:00 1234  /usr/bin/gatehouse', 0),
    mapping('55d0c0100000-55d0c0180000 r--p 00101000 fe:00 1234  /usr/bin/gatehouse', 12),
    mapping('55d0c0180000-55d0c0200000 rw-p 00181000 fe:00 1234  /usr/bin/gatehouse', 0),
    mapping('7f0000000000-7f0000080000 rw-s 00000000 fe:00 99  /var/lib/gatehouse/gatehouse.db-shm', 0),
    mapping('7f1000000000-7f1000080000 r-xp 00000000 00:00 0 ', 0),
    mapping('7fff00000000-7fff00080000 r-xp 00000000 00:00 0  [vdso]', 0),
  ].join('');
  expect(programPages(smaps)).toEqual([
    { from: 0x55d0c0000000n, to: 0x55d0c0080000n },
    { from: 0x55d0c0080000n, to: 0x55d0c0100000n },
  ]);
});

test('a program that has given back holds less, and goes on', () => {
  const program = `
    import { readFileSync } from 'node:fs';
    import { createHash } from 'node:crypto';
    import { ${giveBack.name} } from './src/operations/settle.ts';
    const residentKb = () => Number(/VmRSS:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
    const work = () => createHash('sha256').update(JSON.stringify(Array.from({ length: 100_000 }, (_, n) => ({ n })))).digest('hex');
    const before = work();
    const heldBefore = residentKb();
    await giveBack();
    const heldAfter = residentKb();
    console.log(JSON.stringify({ same: work() === before, less: heldBefore - heldAfter }));
  `;
  const said = execFileSync('bin/node', ['--expose-gc', '--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  const { same, less } = JSON.parse(said);
  expect(same).toBe(true);
  expect(less).toBeGreaterThan(10_000);
});

test('what a program has of its file is given back alone, and comes back', () => {
  const program = `
    import { readFileSync } from 'node:fs';
    import { ${giveBackPages.name} } from './src/operations/settle.ts';
    const fileKb = () => Number(/RssFile:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
    const before = fileKb();
    await giveBackPages();
    const after = fileKb();
    console.log(JSON.stringify({ before, after }));
  `;
  const said = execFileSync('bin/node', ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  const { before, after } = JSON.parse(said);
  expect(after).toBeLessThan(before / 2);
});

test('the pages of the program are given back at the start, the rest in the first quiet second', async () => {
  const clock = new HandClock();
  const given: string[] = [];
  let busy = 0.9;
  using _settling = settleAfterStart(clock, async () => void given.push('other threads'), {
    pages: async () => void given.push('pages'),
    all: async () => void given.push('all'),
    busy: () => busy,
  });
  await clock.advance(15_500);
  expect(given).toEqual(['pages']);
  await clock.advance(60_000);
  expect(given).toEqual(['pages']);
  busy = 0.1;
  await clock.advance(2_000);
  expect(given).toEqual(['pages', 'other threads', 'all']);
  await clock.advance(60_000);
  expect(given).toHaveLength(3);
});

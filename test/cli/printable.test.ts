import { expect, test } from 'vitest';
import type { Command } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { onOneLine, printable } from '../../src/cli/printable.ts';
import { aBox } from '../support/box.ts';
import { runCommand } from '../support/command.ts';
import { aClient } from '../support/every-caller.ts';

const ranges = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0x202a, 0x202e],
  [0x2066, 0x2069],
] as const;
/** Every sign that acts on a terminal, with letters between them. */
const hostile = ranges
  .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at))
  .map(code => `a${String.fromCharCode(code)}`)
  .join('');
const acts = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

test('text only shows: each sign that acts on a terminal is written out, and JSON stays the same JSON', () => {
  expect(printable(hostile)).not.toMatch(acts);
  expect(printable('\u001b[2J\u009b\u202e')).toBe('\\u001b[2J\\u009b\\u202e');
  expect(printable('李梅\t12 ✓\n')).toBe('李梅\t12 ✓\n');
  expect(onOneLine('a\n\tb')).toBe('a\\n\\tb');
  expect(JSON.parse(printable(JSON.stringify({ hostile })))).toEqual({ hostile });
});

test('whatever a command prints, tells or fails with only shows', async () => {
  const command: Command = {
    name: 'print-hostile',
    does: 'prints',
    load: async () => async call => {
      await call.print(`${hostile}\n`);
      call.tell(hostile);
      throw Object.assign(new Error(hostile), { name: 'CommandFailed' });
    },
  };
  (commands as Command[]).push(command);
  try {
    const { status, stdout, stderr } = await runCommand([command.name]);
    expect([status, acts.test(stdout), acts.test(stderr)]).toEqual([1, false, false]);
    expect(stderr.match(/a\\u001b/g)).toHaveLength(2);
  } finally {
    (commands as Command[]).pop();
  }
});

test('what strangers say to a box does nothing in `status` and `services status`', async () => {
  const product = { product_id: 'FACE-T1', product_key: 'key-of-the-product', model: 'FT1', access: 'both' };
  await using box = await aBox({}, { products: [product] });
  using client = aClient({ address: box.addresses.https!, ca: box.opened.caPem });
  const login = { clientId: `FACE-T1_\u001b[2J\u009b31m\u202e`, userName: 'x\u001b', password: 'p', keepAliveTime: 60 };
  await client.ask({
    method: 'POST',
    path: '/api/connect/FACE-T1_A0001',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(login),
  });
  await client.ask({
    method: 'GET',
    path: '/api/v1.0/holiday?app_id=%1B%5B2J%C2%9B%E2%80%AE&timestamp=1&nonce=a&sign=b',
  });
  for (const words of [['status'], ['services', 'status'], ['attendance', 'status'], ['events', 'programs']]) {
    const said = await box.ask(...words);
    expect([words, acts.test(said)]).toEqual([words, false]);
  }
});

test('a name with controls and line breaks stays one line of `attendance month`, and acts on nothing', async () => {
  const name = 'Li\u001b[2J\u009b31m\r\nMei\u202e';
  await using box = await aBox();
  const employees = [{ ext_id: 'e1', name, employee_num: '0042\n', department: { ext_id: '0' } }];
  await box.opened.store.write.applySite({ site: { employees }, prune: false, dryRun: false, at: 1 });
  const said = await box.ask('attendance', 'month', '2026-11');
  expect(acts.test(said)).toBe(false);
  const lines = said.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('0042\\n  Li\\u001b[2J\\u009b31m\\u000d\\nMei\\u202e');
  const asJson = await box.ask('attendance', 'month', '2026-11', '--json');
  expect(acts.test(asJson)).toBe(false);
  expect(asJson.trimEnd().split('\n')).toHaveLength(1);
  expect(JSON.parse(asJson)).toMatchObject({ name });
});

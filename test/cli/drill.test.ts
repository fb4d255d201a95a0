import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { DrillReport } from '../../src/admin/index.ts';
import { BoxProcess, run } from '../support/program.ts';

const program = fileURLToPath(new URL('../../bin/gatehouse', import.meta.url));

const reportOf = async (box: BoxProcess): Promise<DrillReport> => JSON.parse(await box.ask('drill', '--json'));

test('the drill of the card prints each number, notices that a killed box had power, and is stopped without a verdict', {
  timeout: 120_000,
}, async () => {
  await using box = await BoxProcess.start({}, {});
  expect(await box.ask('drill')).toBe('no drill was made yet: gatehouse drill card\n');
  const counting = spawn(program, ['drill', 'card', '--json', '--data-dir', box.dataDir]);
  let seen = 0;
  for await (const line of createInterface(counting.stdout)) {
    seen = (JSON.parse(line) as { written: number }).written;
    if (seen === 20) await box.kill9();
  }
  await box.start();
  const { card } = await reportOf(box);
  expect(card).toMatchObject({ step: 'counting', cut: 1, cuts: 3 });
  expect(card!.written).toBeGreaterThanOrEqual(seen);
  // The machine did not lose its power: nothing is proved.
  expect(await box.run('drill', 'card', '--seen', String(seen))).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('the power was not cut'),
  });
  const stopped = await box.run('drill', 'card', '--stop');
  expect(stopped).toMatchObject({ status: 1, stdout: expect.stringContaining('The drill was stopped') });
  expect((await reportOf(box)).results).toMatchObject([{ id: card!.id, outcome: 'stopped' }]);
});

test('a card that forgot the whole drill is named, in Chinese too: exit status 1', async () => {
  await using box = await BoxProcess.start({}, {});
  const asked = ['drill', 'card', '--seen', '312'];
  expect(await box.run(...asked)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('the box knows of no drill'),
  });
  const failed = await box.run(...asked, '--id', '0123456789abcdef', '--cut', '2');
  expect(failed.status).toBe(1);
  expect(failed.stdout).toContain('Cut 2: 312 was seen, and the card has nothing of it.');
  expect(failed.stdout).toContain('Buy an industrial card');
  const chinese = await run(['drill', '--data-dir', box.dataDir], { env: { LC_ALL: 'zh_CN.UTF-8' } });
  expect(chinese.stdout).toContain('第 2 次断电：最后看到 312，存储卡上什么也没有留下。');
});

test('wrong usage is exit status 2', async () => {
  await using box = await BoxProcess.start({}, {});
  expect((await box.run('drill', 'card', '--seen', 'many')).status).toBe(2);
  expect((await box.run('drill', 'card', '--id', '0123456789abcdef')).status).toBe(2);
});

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { DrillReport } from '../../src/admin/index.ts';
import { BoxProcess } from '../support/program.ts';

const program = fileURLToPath(new URL('../../bin/gatehouse', import.meta.url));

const reportOf = async (box: BoxProcess): Promise<DrillReport> => JSON.parse(await box.ask('drill', '--json'));

test('the drill of the card prints each number, notices that a killed box had power, and is stopped without a verdict', async () => {
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

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aBox } from '../support/box.ts';
import { aSite, productKey } from '../support/site.ts';
import { HttpTerminal } from '../support/terminal.ts';

test('a box without a cloud says that nothing waits for one, running and stopped', async () => {
  await using box = await aBox({}, aSite());
  const terminal = new HttpTerminal(
    { deviceId: 'FACE-T1_A0001', key: productKey },
    `https://${box.addresses.https}`,
    await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8'),
  );
  await terminal.connect();
  terminal.end();
  const said = async () => (await box.run('status')).stdout;
  const expected =
    /line +none: no cloud is configured, the box stands alone\nwaiting +nothing: there is no cloud to send to\n/;
  expect(await said()).toMatch(expected);
  await box.stop();
  expect(await said()).toMatch(expected);
});

test('the check of a supervisor ends with 0 while the box runs and acknowledges, and says why it does not', async () => {
  await using box = await aBox({}, aSite());
  expect(await box.run('status', '--check')).toMatchObject({ status: 0, stdout: 'well\n' });
  await box.stop();
  expect(await box.run('status', '--check')).toMatchObject({ status: 1, stdout: 'unwell: the box does not run\n' });
});

import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BoxProcess, run } from '../support/program.ts';
import { aSite, productKey } from '../support/site.ts';
import { until } from '../support/until.ts';

const boxKey = 'key-of-the-lower-box';
const boxId = 'GATEHOUSE_000002';

/** A box above that lists the one below, and the one below, which keeps its backups there. */
async function aChain() {
  const ownProduct = { product_id: 'GATEHOUSE', product_key: boxKey, name: 'Boxes below', access: 'http' };
  const above = await BoxProcess.start({}, { products: [...aSite().products, ownProduct], boxes: [{ box_id: boxId }] });
  const below = await BoxProcess.make(
    {
      box: { product_id: 'GATEHOUSE', device_sn: '000002', access_key: boxKey },
      upstream: {
        mode: 'batch',
        device_http: `https://127.0.0.1:${above.port('https')}`,
        ca: `file:${join(above.dataDir, 'tls', 'ca.pem')}`,
      },
      backups: { above: {} },
    },
    aSite(),
  );
  await below.start();
  const lineIsUp = () =>
    until('the line is up', async () => JSON.parse(await below.ask('status', '--json')).line.state === 'up');
  await lineIsUp();
  const keyFile = join(below.folder, 'recovery-key.txt');
  await writeFile(keyFile, await below.ask('recovery-key', 'new'));
  const folder = join(above.dataDir, 'backups-of-boxes', boxId);
  return {
    ...{ above, below, keyFile, folder, lineIsUp },
    archives: async () => (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.gh')).sort(),
    async [Symbol.asyncDispose]() {
      await below[Symbol.asyncDispose]();
      await above[Symbol.asyncDispose]();
    },
  };
}

test('a box backs up to the box above on command, and a new box with its identity is restored from there', async () => {
  await using chain = await aChain();
  const { above, below, keyFile } = chain;
  const said = await below.ask('backup', '--to', 'above');
  expect(said).toMatch(
    /^above, 127\.0\.0\.1:\d+: gatehouse-\S+\.gh, .* encrypted to the recovery key, read back and verified; restore tried /,
  );
  const [name] = await chain.archives();
  expect(said).toContain(name);
  const doctor = JSON.parse((await below.run('doctor', '--json')).stdout);
  expect(doctor.checks.find((one: { name: string }) => one.name === 'backup')).toMatchObject({
    ...{ of: 'above', state: 'ok', message: expect.stringContaining('answers; the last good one') },
  });
  // The key of the box above opens its own backups, and not this one.
  const otherKey = join(above.folder, 'recovery-key.txt');
  await writeFile(otherKey, await above.ask('recovery-key', 'new'));
  const opened = await run(['restore', '--check', join(chain.folder, name!), '--recovery-key-file', otherKey]);
  expect(opened).toMatchObject({ status: 1 });

  await below.stop();
  const elsewhere = join(below.folder, 'elsewhere');
  const restore = (config: string, ...more: string[]) =>
    run([
      'restore',
      '--from-above',
      ...more,
      '--config',
      config,
      '--data-dir',
      elsewhere,
      '--recovery-key-file',
      keyFile,
    ]);
  const wrong = join(below.folder, 'wrong.yaml');
  await writeFile(
    wrong,
    JSON.stringify({
      box: { product_id: 'GATEHOUSE', device_sn: '000002', access_key: 'another-key' },
      upstream: {
        mode: 'batch',
        device_http: `https://127.0.0.1:${above.port('https')}`,
        ca: `file:${join(above.dataDir, 'tls', 'ca.pem')}`,
      },
    }),
  );
  expect(await restore(wrong)).toMatchObject({ status: 1, stderr: expect.stringContaining('refused the key') });
  expect(await restore(below.configFile, 'another.gh')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`keeps no backup another.gh; there is ${name}`),
  });
  expect(await restore(below.configFile)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/restored as of .*, environment test\n$/),
  });
  expect((await run(['export', '--with-secrets', '--data-dir', elsewhere])).stdout).toContain(productKey);
  expect((await readdir(below.folder)).filter(file => file.startsWith('.gatehouse-restore'))).toEqual([]);
});

test('either box killed while a backup goes up leaves no half one, and the next is whole', async () => {
  await using chain = await aChain();
  const { above, below, keyFile } = chain;
  for (const victim of [above, below]) {
    const before = (await chain.archives()).length;
    const asked = below.run('backup', '--to', 'above');
    await until('something of it is there', async () => (await readdir(chain.folder).catch(() => [])).length > before);
    await victim.kill9();
    await victim.start();
    await asked;
    await chain.lineIsUp();
    await until('no backup is being made', async () => (await below.run('backup', '--to', 'above')).status === 0);
    const names = await readdir(chain.folder);
    expect(names.filter(name => name.endsWith('.part'))).toEqual([]);
    for (const name of await chain.archives()) {
      const checked = await run(['restore', '--check', join(chain.folder, name), '--recovery-key-file', keyFile]);
      expect(checked, name).toMatchObject({ status: 0 });
    }
  }
});

test('backup --to writes to a file or into a folder as well, and says what it does not know', async () => {
  await using box = await BoxProcess.start({}, aSite());
  await box.ask('recovery-key', 'new');
  const file = join(box.folder, 'one.gh');
  expect(await box.ask('backup', '--to', file)).toContain(`${file}: `);
  await box.ask('backup', '--to', box.folder);
  expect((await readdir(box.folder)).filter(name => /^gatehouse-\d{4}-\d\d-\d\dT\d{6}Z\.gh$/.test(name))).toHaveLength(
    1,
  );
  expect(await box.run('backup', '--to', 'sftp')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('there is no target: name one on the page System, Backup first'),
  });
  expect(await box.run('backup')).toMatchObject({ status: 2, stderr: expect.stringContaining('FILE is missing') });
  expect(await box.run('backup', 'a.gh', '--to', 'sftp')).toMatchObject({ status: 2 });
});

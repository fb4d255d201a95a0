import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { updateReasons } from '../../src/words/updates.ts';
import { Machine, programSaying } from '../support/machine.ts';

/** `systemd/lib/program` and `start`: which program a box runs. */

async function updated(machine: Machine, version: string): Promise<void> {
  expect(await machine.run('program', ['install', await machine.bundle(version)])).toMatchObject({ status: 0 });
  expect(await machine.run('program', ['count'])).toMatchObject({ status: 0 });
  await machine.run('program', ['good']);
}

test('without an update the packaged program runs, with its arguments', async () => {
  await using machine = await Machine.make();
  expect(await machine.runs()).toBe('ran 0.1.0 serve');
});

test('an update runs, shows that it is healthy, and stays', async () => {
  await using machine = await Machine.make();
  const folder = await machine.bundle('0.2.0');
  expect(await machine.run('program', ['install', folder])).toMatchObject({ status: 0 });
  expect(await machine.last()).toMatchObject({ outcome: 'trying', from: '0.1.0', to: '0.2.0', kind: 'program' });
  await machine.run('program', ['count']);
  expect(await machine.asked()).toEqual(['systemctl --no-block start gatehouse-health.service']);
  expect(await machine.runs()).toBe('ran 0.2.0 serve');
  await machine.run('program', ['good']);
  expect(await machine.last()).toMatchObject({ outcome: 'good' });
  expect(await machine.kept('trial')).toBeNull();
  for (let start = 0; start < 9; start++) await machine.run('program', ['count']);
  expect(await machine.runs()).toBe('ran 0.2.0 serve');
});

test('a program that is not healthy after three starts is taken back before the fourth', async () => {
  await using machine = await Machine.make();
  await machine.run('program', ['install', await machine.bundle('0.2.0')]);
  for (let start = 1; start <= 3; start++) {
    await machine.run('program', ['count']);
    expect(await machine.runs()).toBe('ran 0.2.0 serve');
  }
  await machine.run('program', ['count']);
  expect(await machine.runs()).toBe('ran 0.1.0 serve');
  expect(await machine.last()).toMatchObject({
    outcome: 'rolled-back',
    code: 'update_unhealthy_starts',
    params: { starts: '3' },
  });
});

test('a bad second update goes back to the first one', async () => {
  await using machine = await Machine.make();
  await updated(machine, '0.2.0');
  await machine.run('program', ['install', await machine.bundle('0.3.0')]);
  expect(await machine.runs()).toBe('ran 0.3.0 serve');
  await machine.run('program', ['back', 'update_unhealthy', 'state=said "no"\nand stopped', 'result=exit-code']);
  expect(await machine.runs()).toBe('ran 0.2.0 serve');
  expect(await machine.last()).toMatchObject({
    from: '0.2.0',
    to: '0.3.0',
    code: 'update_unhealthy',
    params: { state: 'saidnoandstopped', result: 'exit-code' },
  });
});

test('a program for another machine is refused before it comes into force', async () => {
  await using machine = await Machine.make();
  const folder = await machine.bundle('0.2.0', '\x7fELF of another machine');
  expect(await machine.run('program', ['install', folder])).toMatchObject({ status: 1 });
  expect(await machine.kept('refused')).toContain('"code":"update_program_not_run"');
  expect(await machine.runs()).toBe('ran 0.1.0 serve');
  expect(await machine.kept('trial')).toBeNull();
});

test('nothing is installed while the update before is on trial: it would overwrite what can be gone back to', async () => {
  await using machine = await Machine.make();
  await machine.run('program', ['install', await machine.bundle('0.2.0')]);
  expect(await machine.run('program', ['may-install'])).toMatchObject({ status: 1 });
  expect(await machine.run('program', ['install', await machine.bundle('0.3.0')])).toMatchObject({ status: 1 });
  expect(await machine.runs()).toBe('ran 0.2.0 serve');
});

test('a newer packaged program takes the place of the one that an update brought', async () => {
  await using machine = await Machine.make();
  await updated(machine, '0.2.0');
  await machine.put('usr/lib/gatehouse/gatehouse', `${programSaying('0.5.0')}# longer\n`, true);
  expect(await machine.runs()).toBe('ran 0.5.0 serve');
});

test('by hand one goes back to the program before, and forth again', async () => {
  await using machine = await Machine.make();
  expect(await machine.run('program', ['rollback'])).toMatchObject({ status: 1 });
  await updated(machine, '0.2.0');
  expect(await machine.run('program', ['rollback'])).toMatchObject({ status: 0 });
  expect(await machine.runs()).toBe('ran 0.1.0 serve');
  expect(await machine.last()).toMatchObject({
    outcome: 'rolled-back',
    from: '0.2.0',
    to: '0.1.0',
    code: 'update_asked_for',
  });
  expect(await machine.run('program', ['rollback'])).toMatchObject({ status: 0 });
  expect(await machine.runs()).toBe('ran 0.2.0 serve');
});

test('a box whose updated program has gone runs the packaged one', async () => {
  await using machine = await Machine.make();
  await updated(machine, '0.2.0');
  await rm(join(machine.root, 'var/lib/gatehouse-program/a/gatehouse'));
  expect(await machine.runs()).toBe('ran 0.1.0 serve');
});

/** Every moment between two things on disk; ends when the script got through. */
async function atEachCut(
  steps: readonly (readonly [prepare: (machine: Machine) => Promise<void>, args: readonly string[]])[],
  then: (machine: Machine) => Promise<void>,
): Promise<number> {
  let cuts = 0;
  for (const [prepare, args] of steps)
    for (let cut = 1; ; cut++) {
      await using machine = await Machine.make();
      await prepare(machine);
      const whole = args.map(arg => arg.replace('ROOT', machine.root));
      const { status } = await machine.run('program', whole, cut);
      if (status === 0) break;
      expect(status).toBeNull();
      cuts++;
      await then(machine);
    }
  return cuts;
}

test('a power cut at any moment of an update leaves the old program or the new one, and the next update works', async () => {
  const prepare = async (machine: Machine) => {
    await updated(machine, '0.2.0');
    await machine.bundle('0.3.0');
  };
  const cuts = await atEachCut([[prepare, ['install', 'ROOT/bundle-0.3.0']]], async machine => {
    expect((await machine.run('program', ['count'])).status).toBe(0);
    expect(await machine.runs()).toMatch(/^ran 0\.[23]\.0 serve$/);
    if ((await machine.runs()) === 'ran 0.2.0 serve') {
      expect(await machine.last()).not.toMatchObject({ outcome: 'trying' });
      expect((await machine.run('program', ['install', await machine.bundle('0.4.0')])).status).toBe(0);
      expect(await machine.runs()).toBe('ran 0.4.0 serve');
    } else {
      // On trial as it should be: it goes back by itself.
      for (let start = 0; start < 3; start++) await machine.run('program', ['count']);
      expect(await machine.runs()).toBe('ran 0.2.0 serve');
      expect(await machine.last()).toMatchObject({ outcome: 'rolled-back', from: '0.2.0', to: '0.3.0' });
    }
  });
  expect(cuts).toBeGreaterThan(6);
});

test('a power cut at any moment of the way back, or of the verdict, is made up for by the next start', async () => {
  const onTrial = async (machine: Machine) => {
    await machine.run('program', ['install', await machine.bundle('0.2.0')]);
    await machine.run('program', ['count']);
  };
  await atEachCut(
    [
      [onTrial, ['back', 'it did not serve']],
      [onTrial, ['good']],
      [onTrial, ['count']],
    ],
    async machine => {
      expect(await machine.runs()).toMatch(/^ran 0\.[12]\.0 serve$/);
      await machine.run('program', ['count']);
      await machine.run('program', ['good']);
      expect(await machine.kept('trial')).toBeNull();
      const back = (await machine.runs()) === 'ran 0.1.0 serve';
      expect(await machine.last()).toMatchObject({ outcome: back ? 'rolled-back' : 'good' });
    },
  );
});

test.each(['program', 'health'])('each code that `%s` writes is a sentence in both languages', async name => {
  const script = await readFile(new URL(`../../systemd/lib/${name}`, import.meta.url), 'utf8');
  const codes = script.match(/\bupdate_\w+/g) ?? [];
  expect(codes.length).toBeGreaterThan(1);
  for (const code of codes)
    expect(
      updateReasons.some(({ texts }) => Object.hasOwn(texts, code)),
      code,
    ).toBe(true);
});

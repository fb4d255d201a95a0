import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DrillReport } from '../../src/admin/index.ts';
import { numbersBeforeCut } from '../../src/platform/drill.ts';
import { programVersion } from '../../src/runtime/version.ts';
import { ImageBox } from '../image/box.ts';
import type { Recorded } from '../image/card.ts';
import { fileSystemOf, withData } from '../image/data-after-cut.ts';
import { countAndCut, provedAfter } from '../image/drill.ts';
import { type Bundles, bundlesOf, imageOf, type MadeImage } from '../image/made.ts';
import { momentOfGrowth, momentsInUpdate } from '../image/moments.ts';
import { possible, why } from '../image/needs.ts';
import { inspected } from '../image/raspberrypi.ts';
import { positionsIn, study } from '../image/study.ts';
import { imageBlockBytes } from '../power/ext4.ts';
import { suiteWhere } from '../support/tools.ts';

/**
 * The images, made of this checkout. The one for arm64 boots in a machine with UEFI under software
 * emulation, from the flashed card to the update that fails: one story on one box, told in order.
 * Its power is cut on a disk that logs each write and flush (`test/image/card.ts`). That of the
 * Raspberry Pi is inspected.
 *
 * `npm run test:image`, not part of `npm test`. The first run makes the root of the images (ten
 * minutes and more, kept below `node_modules/.cache`).
 */

const minutes = (count: number) => count * 60_000;
suiteWhere(possible, why, 'the image for arm64', () => {
  let made: MadeImage;
  let bundles: Bundles;
  let box: ImageBox;
  let firstStart: Recorded;
  let updates: Recorded;

  beforeAll(async () => {
    made = await imageOf('generic-arm64');
    bundles = await bundlesOf(made);
    box = await ImageBox.switchedOn(made.image, { serial: 'HONEST-CARD' });
  }, minutes(60));

  afterAll(async () => {
    await box?.[Symbol.asyncDispose]();
    await bundles?.[Symbol.asyncDispose]();
  });

  test(
    'boots with UEFI until the service has said READY=1',
    async () => {
      await box.machine.shows(/Started gatehouse\.service/, 900);
      console.info(`READY=1 came ${box.machine.secondsOn().toFixed(0)} s after the machine was switched on`);
    },
    minutes(16),
  );

  test(
    'shows on its screen where it is to be found',
    async () => {
      await box.machine.shows(/https:\/\/\d+\.\d+\.\d+\.\d+:8443/, 180);
    },
    minutes(4),
  );

  test(
    'serves HTTPS and MQTT to clients outside, with what the installer dropped on the card',
    async () => {
      await box.ready();
      expect(await box.ask('/session')).toMatchObject({ user: { name: 'mei' }, site: { name: 'Plant 4' } });
      await box.underLoad('first', () =>
        box.machine.until('a record is acknowledged', async () => box.acknowledged.length > 0 || null, 60),
      );
      expect(await box.lost()).toEqual([]);
    },
    minutes(20),
  );

  test(
    'passes the drill of its card and keeps what it acknowledged, when its power is cut three times under load',
    async () => {
      const begun = await box.ask<DrillReport>('/drill/card', { power_will_be_cut: true });
      let report = begun;
      for (const [no, kind] of (['none', 'half', 'torn'] as const).entries()) {
        const number = await box.underLoad(`cut-${no}`, () => countAndCut(box, kind));
        if (no === 0) {
          const names = (await box.machine.card.names()).map(name => name.toLowerCase());
          expect(names.filter(name => /site\.yaml|gatehouse\.yaml|problems/.test(name))).toEqual([]);
          expect(await box.machine.card.endOfLastPartition()).toBeGreaterThan(3.9 * 2 ** 30);
          firstStart = await box.machine.card.kept('first-start');
        }
        report = await provedAfter(box, begun.card!.id, no + 1, number);
        expect(await box.lost()).toEqual([]);
      }
      const [result] = report.results as [DrillReport['results'][number]];
      expect(result).toMatchObject({ outcome: 'passed', device: { device: 'vda', serial: 'HONEST-CARD' } });
      expect(result.cuts.map(({ missing }) => missing)).toEqual([0, 0, 0]);
    },
    minutes(75),
  );

  test(
    'takes a signed update into slot B, and keeps it once it has worked for a minute',
    async () => {
      expect((await box.updates()).runs.slot).toBe('A');
      const bundle = await bundles.image('2.0.0');
      const update = await box.underLoad('update', () => box.updatedBy(bundle, '2.0.0', 30), 2000);
      expect(update).toMatchObject({ runs: { slot: 'B' }, last: { kind: 'image', outcome: 'good', why: '' } });
    },
    minutes(40),
  );

  test(
    'goes back by itself, with the reason, from a system whose service does not work',
    async () => {
      const update = await box.updatedBy(await bundles.brokenImage('3.0.0'), '3.0.0', 30);
      expect(update).toMatchObject({ runs: { slot: 'B' }, last: { kind: 'image', outcome: 'rolled-back' } });
      expect(update.last?.why).toContain('gatehouse.service was not healthy');
    },
    minutes(35),
  );

  test(
    'takes a signed update of the program alone, without a restart of the machine',
    async () => {
      const update = await box.updatedBy(await bundles.program(), programVersion, 20);
      expect(update).toMatchObject({
        runs: { slot: 'B', program: 'updated' },
        last: { kind: 'program', outcome: 'good' },
      });
    },
    minutes(25),
  );

  test(
    'refuses a bundle that somebody else has signed',
    async () => {
      const answer = await box.send(await bundles.foreign());
      expect(JSON.parse(answer.body)).toMatchObject({ title: 'update_untrusted' });
    },
    minutes(5),
  );

  test(
    'has lost nothing by all that',
    async () => {
      expect(await box.lost()).toEqual([]);
    },
    minutes(2),
  );

  test(
    'would have started, with all that it had acknowledged, after a cut at any moment of its first start',
    async () => {
      const studied = { recorded: firstStart, start: 1, roots: [made.rootFileSystem], seed: 1 };
      const { wrong, says } = await study(box, { ...studied, count: 40, opensEach: 2 });
      console.info(`in the first start: ${says}`);
      expect(wrong).toEqual([]);
      const lies = { dropFlushes: 1 };
      expect((await study(box, { ...studied, count: 4, opensEach: 1, lies })).wrong).not.toEqual([]);
    },
    minutes(20),
  );

  test(
    'would have started a whole system, with all that it had acknowledged, after a cut at any moment of the updates',
    async () => {
      await box.cutPower();
      updates = await box.machine.card.kept('updates');
      const roots = [made.rootFileSystem, bundles.brokenRoot];
      const studied = { recorded: updates, start: box.start, roots, seed: 1 };
      const { wrong, says } = await study(box, { ...studied, count: 40, opensEach: 4 });
      console.info(`in the updates: ${says}`);
      expect(wrong).toEqual([]);
      const lies = { dropFlushes: 1 };
      expect((await study(box, { ...studied, count: 4, opensEach: 1, lies })).wrong).not.toEqual([]);
    },
    minutes(20),
  );

  test(
    'starts after a cut while a slot was being written, and after one while the slot was being chosen',
    async () => {
      const { acknowledged, start } = box;
      for (const [no, at] of (await positionsIn(updates, momentsInUpdate)).entries()) {
        await box.machine.card.cut({ at, kind: 'half' }, updates);
        box.acknowledged = acknowledged.filter(one => one.start < start || one.position <= at);
        await box.switchOn();
        await box.ready();
        expect(await box.lost()).toEqual([]);
        const { runs, last } = await box.updates();
        expect(runs.slot).toMatch(no === 0 ? /^A$/ : /^[AB]$/);
        console.info(`after the cut: slot ${runs.slot}, update ${last?.outcome}`);
        await box.machine.cutPower();
      }
    },
    minutes(40),
  );

  test(
    'starts with its settings after a cut while the data partition was growing, and goes on with that',
    async () => {
      await box.machine.switchOff();
      const [at] = await positionsIn(firstStart, entries => [momentOfGrowth(entries)]);
      await box.machine.card.cut({ at: at! }, firstStart);
      box.forget();
      await box.switchOn();
      await box.ready();
      expect(await box.ask('/session')).toMatchObject({ user: { name: 'mei' }, site: { name: 'Plant 4' } });
      await box.machine.cutPower();
      const { image } = box.machine.card;
      const { blockBytes, portion } = await withData(image, dirname(image), fileSystemOf);
      expect(portion).toBeGreaterThan(0.99);
      expect(blockBytes).toBe(imageBlockBytes);
    },
    minutes(20),
  );
});

suiteWhere(possible, why, 'the image for arm64 on a card that answers flushes without doing them', () => {
  test(
    'is told by the drill, which names the card',
    async () => {
      const made = await imageOf('generic-arm64');
      await using box = await ImageBox.switchedOn(made.image, { name: 'Cheap Card', serial: 'L1E5' });
      await box.ready();
      const { card } = await box.ask<DrillReport>('/drill/card', { power_will_be_cut: true });
      const number = await countAndCut(box, 'none', true);
      const { results } = await provedAfter(box, card!.id, 1, number);
      const [result] = results as [DrillReport['results'][number]];
      const device = { device: 'sda', name: 'QEMU Cheap Card', serial: 'L1E5' };
      expect(result).toMatchObject({ outcome: 'failed', device });
      expect(result.cuts[0]!.missing).toBeGreaterThan(numbersBeforeCut / 4);
    },
    minutes(45),
  );
});

suiteWhere(possible, why, 'the image for the Raspberry Pi, which cannot be booted here', () => {
  let pi: Awaited<ReturnType<typeof inspected>>;
  beforeAll(async () => {
    pi = await inspected(await imageOf('raspberrypi'));
  }, minutes(60));

  test('has an MBR with the partitions that the firmware and the two systems need', () => {
    expect(pi.partitions.map(({ number, type }) => [number, type])).toEqual([
      [1, 0x0c],
      [2, 0x0c],
      [3, 0x0c],
      [4, 0x0f],
      [5, 0x83],
      [6, 0x83],
      [7, 0x83],
    ]);
    expect(pi.diskSignature).toBe('47485047');
  });

  test('has on its first partition what the firmware reads there, and the notes for the installer', () => {
    expect(pi.card).toEqual(expect.arrayContaining(['bootcode.bin', 'autoboot.txt', 'read-me.txt']));
  });

  test('has the firmware, kernel, initrd and device trees of Pi 3, 4 and 5 on both boot partitions', () => {
    const wanted = [
      ...['start.elf', 'fixup.dat', 'start4.elf', 'fixup4.dat', 'vmlinuz', 'initrd.img', 'config.txt'],
      ...['bcm2837-rpi-3-b.dtb', 'bcm2711-rpi-4-b.dtb', 'bcm2712-rpi-5-b.dtb', 'cmdline-a.txt', 'cmdline-b.txt'],
    ];
    expect(pi.bootA).toEqual(expect.arrayContaining(wanted));
    expect(pi.bootB).toEqual(pi.bootA);
  });

  test('starts each root with its own slot', () => {
    expect(pi.text('cmdline-a.txt')).toMatch(/ root=PARTUUID=47485047-05 .* rauc\.slot=A\n$/);
    expect(pi.text('cmdline-b.txt')).toMatch(/ root=PARTUUID=47485047-06 .* rauc\.slot=B\n$/);
    expect(pi.text('config.txt')).toMatch(
      /\[boot_partition=2\]\ncmdline=cmdline-a\.txt\n\[boot_partition=3\]\ncmdline=cmdline-b\.txt\n/,
    );
  });

  test('has the same program in its root as the image for arm64', async () => {
    const arm64 = await inspected(await imageOf('generic-arm64'));
    expect(await pi.digestOf('/usr/lib/gatehouse/gatehouse')).toBe(
      await arm64.digestOf('/usr/lib/gatehouse/gatehouse'),
    );
  });
});

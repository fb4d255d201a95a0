import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import mqtt from 'mqtt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { programVersion } from '../../src/runtime/version.ts';
import type { UpdateReport } from '../../src/updates/index.ts';
import { ImageMachine } from '../image/machine.ts';
import { type Bundles, bundlesOf, imageOf } from '../image/made.ts';
import { inspected } from '../image/raspberrypi.ts';
import { call } from '../support/terminal.ts';
import { hasTool, suiteWhere } from '../support/tools.ts';

/**
 * The images, made of this checkout. The one for arm64 boots in a machine with UEFI under software
 * emulation, from the flashed card to the update that fails: one story on one box, told in order.
 * That of the Raspberry Pi is inspected.
 *
 * `npm run test:image`, not part of `npm test`. The first run makes the root of the images (ten
 * minutes and more, kept below `node_modules/.cache`). What a cut of the power leaves on a disk is
 * tried in `test/power/`: a killed emulator leaves all that was written in the host's cache.
 */

const needs = [
  ['qemu-system-aarch64', 'qemu-system-arm'],
  ['qemu-aarch64-static', 'qemu-user-static'],
  ['arch-test', 'arch-test'],
  ['mmdebstrap', 'mmdebstrap'],
  ['genimage', 'genimage'],
  ['mcopy', 'mtools'],
  ['mke2fs', 'e2fsprogs'],
  ['mkdosfs', 'dosfstools'],
  ['bmaptool', 'bmap-tools'],
  ['grub-mkimage', 'grub-common'],
  ['rauc', 'rauc'],
  ['mksquashfs', 'squashfs-tools'],
] as const;
const missing = needs.filter(([tool]) => !hasTool(tool)).map(([, debianPackage]) => debianPackage);
const possible = process.arch === 'x64' && missing.length === 0 && process.getuid?.() === 0;
const why =
  missing.length > 0
    ? `needs ${missing.join(', ')}: apt-get install qemu-efi-aarch64 ${missing.join(' ')}`
    : 'needs root, on a machine of the kind x86_64';

const minutes = (count: number) => count * 60_000;
const password = 'a-password-of-mei-s';
const productKey = 's3cret-of-the-product';
const terminals = ['FACE-T1_A0001', 'FACE-T1_A0002', 'FACE-T1_A0003'];
const config = `
site: { name: Plant 4, timezone: Asia/Shanghai, locale: en }
provisioning: { wifi: off, bluetooth: off }
`;
const site = `
products:
  - { product_id: FACE-T1, product_key: ${productKey}, name: Face terminal, model: FT1, access: both }
devices: [${terminals.map(id => `{ device_id: ${id}, name: Gate ${id.slice(-1)} }`).join(', ')}]
users:
  - { name: mei, password: "${password}", role: admin }
`;
const finished = new Set(['good', 'kept', 'rolled-back', 'failed', 'interrupted']);

suiteWhere(possible, why, 'the image for arm64', () => {
  let machine: ImageMachine;
  let bundles: Bundles;
  let ca: string;
  /** The text of every record that the box has acknowledged. */
  const acknowledged: string[] = [];
  /** As it was found after a power cut. */
  let card: { readonly names: readonly string[]; readonly end: number };

  beforeAll(async () => {
    const made = await imageOf('generic-arm64');
    bundles = await bundlesOf(made);
    machine = await ImageMachine.flashed(made.image, { 'gatehouse.yaml': config, 'site.yaml': site });
    machine.switchOn();
  }, minutes(60));

  afterAll(async () => {
    await machine?.[Symbol.asyncDispose]();
    await bundles?.[Symbol.asyncDispose]();
  });

  const ready = () =>
    machine.until(
      'HTTPS answers',
      async () => ((await call(`${machine.url}/`, { ca })).status === 200 ? true : null),
      900,
    );

  const signedIn = async (): Promise<Record<string, string>> => {
    const answer = await call(`${machine.url}/admin/v1/session`, {
      method: 'POST',
      ca,
      headers: { 'Content-Type': 'application/json', Origin: machine.url },
      body: JSON.stringify({ name: 'mei', password }),
    });
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`);
    return { Cookie: String(answer.headers['set-cookie']).split(';')[0]!, Origin: machine.url };
  };

  const connect = (deviceId: string) => {
    const md5 = createHash('md5').update(`${deviceId}-FACE-T1-${productKey}`).digest('hex');
    return mqtt.connectAsync(machine.mqttUrl, {
      ...{ clientId: deviceId, username: 'FACE-T1', password: md5, ca, reconnectPeriod: 0, connectTimeout: 60_000 },
    });
  };

  /**
   * The terminals say one record after another until they are cut off; what was acknowledged is
   * noted.
   */
  const underLoad = async (name: string, until: (count: () => number) => Promise<void>): Promise<void> => {
    const clients = await Promise.all(terminals.map(connect));
    const before = acknowledged.length;
    const talking = clients.map(async (client, at) => {
      client.on('error', () => {});
      try {
        for (let n = 1; ; n++) {
          const text = JSON.stringify({ log: `${name}-${n}`, of: terminals[at] });
          await client.publishAsync(`log/FACE-T1/${terminals[at]!.slice(-5)}`, text, { qos: 1 });
          acknowledged.push(text);
          // SPEC 8: twenty a second are kept, what is beyond is acknowledged and dropped.
          await setTimeout(60);
        }
      } catch {
        // Cut off: this one was not acknowledged.
      }
    });
    await until(() => acknowledged.length - before);
    for (const client of clients) client.end(true);
    await Promise.all(talking);
  };

  const lost = async (): Promise<string[]> => {
    const kept = await call(`${machine.url}/admin/v1/export/logs`, { ca, headers: await signedIn() });
    const texts = new Set(
      kept.body
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line).text as string),
    );
    return acknowledged.filter(text => !texts.has(text));
  };

  const report = async (): Promise<UpdateReport> =>
    JSON.parse((await call(`${machine.url}/admin/v1/update`, { ca, headers: await signedIn() })).body);

  const send = async (bundle: string): Promise<{ status: number; body: string }> =>
    machine.send(bundle, '/admin/v1/update/bundle', { ca, headers: await signedIn() });

  /** Sends a bundle, begins with it, and waits until the box says how it went. */
  const updatedBy = async (bundle: string, version: string, within: number): Promise<UpdateReport> => {
    const sent = await send(bundle);
    if (sent.status !== 200) throw new Error(`${sent.status}: ${sent.body}`);
    const begun = await call(`${machine.url}/admin/v1/update`, {
      method: 'POST',
      ca,
      headers: { ...(await signedIn()), 'Content-Type': 'application/json' },
      body: JSON.stringify({ file: JSON.parse(sent.body).file }),
    });
    if (begun.status !== 200) throw new Error(`${begun.status}: ${begun.body}`);
    return machine.until(
      `the box says how the update to ${version} went`,
      async () => {
        const update = await report();
        return update.last?.to === version && finished.has(update.last.outcome) && !update.progress ? update : null;
      },
      within * 60,
    );
  };

  test(
    'boots with UEFI until the service has said READY=1',
    async () => {
      await machine.shows(/Started gatehouse\.service/, 900);
      console.info(`READY=1 came ${machine.secondsOn().toFixed(0)} s after the machine was switched on`);
    },
    minutes(16),
  );

  test(
    'shows on its screen where it is to be found',
    async () => {
      await machine.shows(/https:\/\/\d+\.\d+\.\d+\.\d+:8443/, 180);
    },
    minutes(4),
  );

  test(
    'serves HTTPS and MQTT to clients outside, with what the installer dropped on the card',
    async () => {
      ca = await machine.authority();
      await ready();
      const session = await call(`${machine.url}/admin/v1/session`, { ca, headers: await signedIn() });
      expect(JSON.parse(session.body)).toMatchObject({ user: { name: 'mei' }, site: { name: 'Plant 4' } });
      await underLoad('first', count =>
        machine.until('a record is acknowledged', async () => count() > 0 || null, 60).then(() => {}),
      );
      expect(await lost()).toEqual([]);
    },
    minutes(20),
  );

  test(
    'boots again after its power was cut under load, and serves what it had acknowledged',
    async () => {
      await underLoad('cut', async count => {
        await machine.until('60 records are acknowledged', async () => count() >= 60 || null, 300);
        await machine.cutPower();
        const names = (await machine.onCard()).map(name => name.toLowerCase());
        card = { names, end: await machine.endOfLastPartition() };
      });
      machine.switchOn();
      await ready();
      expect(await lost()).toEqual([]);
    },
    minutes(25),
  );

  test('leaves nothing of the settings on the card, and grows the data partition to its end', () => {
    expect(card.names.filter(name => /site\.yaml|gatehouse\.yaml|problems/.test(name))).toEqual([]);
    expect(card.end).toBeGreaterThan(3.9 * 2 ** 30);
  });

  test(
    'takes a signed update into slot B, and keeps it once it has worked for a minute',
    async () => {
      expect((await report()).runs.slot).toBe('A');
      const update = await updatedBy(await bundles.image('2.0.0'), '2.0.0', 25);
      expect(update).toMatchObject({ runs: { slot: 'B' }, last: { kind: 'image', outcome: 'good', why: '' } });
    },
    minutes(30),
  );

  test(
    'goes back by itself, with the reason, from a system whose service does not work',
    async () => {
      const update = await updatedBy(await bundles.brokenImage('3.0.0'), '3.0.0', 30);
      expect(update).toMatchObject({ runs: { slot: 'B' }, last: { kind: 'image', outcome: 'rolled-back' } });
      expect(update.last?.why).toContain('gatehouse.service was not healthy');
    },
    minutes(35),
  );

  test(
    'takes a signed update of the program alone, without a restart of the machine',
    async () => {
      const update = await updatedBy(await bundles.program(), programVersion, 20);
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
      const answer = await send(await bundles.foreign());
      expect(JSON.parse(answer.body)).toMatchObject({ title: 'update_untrusted' });
    },
    minutes(5),
  );

  test(
    'has lost nothing by all that',
    async () => {
      expect(await lost()).toEqual([]);
    },
    minutes(2),
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

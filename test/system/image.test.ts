import { afterAll, beforeAll, expect, test } from 'vitest';
import { ImageMachine, type Made, madeImage } from '../image/machine.ts';
import { call, MqttTerminal, type Said } from '../support/terminal.ts';
import { hasTool, suiteWhere } from '../support/tools.ts';

/**
 * The image for arm64, made of this checkout, in a machine with UEFI under software emulation: from the flashed card to
 * the update that fails. One story on one box, told in order.
 *
 * Alone: `npm test -- image`. The first run makes the root of the images (ten minutes and more, kept below
 * `node_modules/.cache`). `POWER_CUTS=20` cuts the power that often instead of three times.
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
const possible = missing.length === 0 && process.getuid?.() === 0;
const why =
  missing.length > 0
    ? `needs ${missing.join(', ')}: apt-get install qemu-efi-aarch64 ${missing.join(' ')}`
    : 'needs root';

const cuts = Number(process.env.POWER_CUTS ?? 3);
const password = 'a-password-of-mei-s';
const terminals = ['FACE-T1_A0001', 'FACE-T1_A0002', 'FACE-T1_A0003'];
const site = `
products:
  - { product_id: FACE-T1, product_key: s3cret-of-the-product, name: Face terminal, model: FT1, access: both }
devices: [${terminals.map(id => `{ device_id: ${id}, name: Gate ${id.slice(-1)} }`).join(', ')}]
users:
  - { name: mei, password: "${password}", role: admin }
departments: [{ ext_id: "0", name: Plant 4 }]
employees: [{ ext_id: e1, name: Li Mei, mobile: "13800000000", employee_num: "1001", department: { ext_id: "0", title: Fitter } }]
`;

suiteWhere(possible, why, 'the image for arm64', () => {
  let made: Made;
  let machine: ImageMachine;
  let ca: string;

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
  const ready = (within = 600) =>
    machine.until(
      'the box answers over HTTPS',
      async () => (await call(`${machine.url}/`, { ca })).status === 200 || null,
      within,
    );

  beforeAll(async () => {
    made = await madeImage();
    machine = await ImageMachine.flashed(made.image, {
      'gatehouse.yaml':
        'site: { name: Plant 4, timezone: Asia/Shanghai, locale: en }\nprovisioning: { wifi: off, bluetooth: off }\n',
      'site.yaml': site,
    });
    machine.switchOn();
  }, 45 * 60_000);

  afterAll(async () => machine?.[Symbol.asyncDispose]());

  test(
    'boots with UEFI until the service has said READY=1',
    async () => {
      const from = performance.now();
      await machine.shows(/Started gatehouse\.service/, { within: 900 });
      console.info(`READY=1 after ${((performance.now() - from) / 1000).toFixed(0)} s`);
    },
    16 * 60_000,
  );

  test('shows on its screen where it is to be found', async () => {
    await machine.shows(/https:\/\/\d+\.\d+\.\d+\.\d+:8443/, { within: 120 });
  }, 130_000);

  test('serves HTTPS and MQTT to clients outside, with what the installer dropped on the card', async () => {
    ca = await machine.authority();
    await ready();
    const headers = await signedIn();
    const session = await call(`${machine.url}/admin/v1/session`, { ca, headers });
    expect(JSON.parse(session.body)).toMatchObject({ user: { name: 'mei' }, site: { name: 'Plant 4' } });
    const terminal = new MqttTerminal({ deviceId: terminals[0]!, key: 's3cret-of-the-product' }, machine.mqttUrl, {
      ca,
    });
    try {
      await terminal.say('log');
      expect(terminal.acknowledged).toHaveLength(1);
    } finally {
      await terminal.end();
    }
  }, 120_000);

  test(
    `keeps every record that it acknowledged over ${cuts} hard power cuts under load`,
    async () => {
      const acknowledged: Said[] = [];
      for (let cut = 0; cut < cuts; cut++) {
        await ready();
        const devices = terminals.map(
          deviceId =>
            new MqttTerminal({ deviceId, key: 's3cret-of-the-product' }, machine.mqttUrl, { ca, reconnectPeriod: 0 }),
        );
        let pulled = false;
        // Each terminal says until it is answered no more; the plug is pulled once 60 are acknowledged.
        const talking = devices.map(async device => {
          for (;;) {
            const one = await device.say('log').catch(() => null);
            if (one === null || pulled) return;
          }
        });
        const count = () => devices.flatMap(device => device.acknowledged).length;
        await machine.until('60 records are acknowledged', async () => (count() >= 60 ? true : null), 300);
        pulled = true;
        await machine.cutPower();
        acknowledged.push(
          ...devices.flatMap(device => device.acknowledged.map(said => ({ ...said, mid: `${cut}-${said.mid}` }))),
        );
        await Promise.all(devices.map(device => device.end()));
        await Promise.all(talking);
        machine.switchOn();
      }
      await ready();
      const headers = await signedIn();
      const kept = await call(`${machine.url}/admin/v1/export/logs`, { ca, headers });
      expect(kept.status).toBe(200);
      const texts = kept.body
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line).text as string);
      const lost = acknowledged.filter(({ text }) => !texts.includes(text));
      expect(lost).toEqual([]);
      expect(acknowledged.length).toBeGreaterThanOrEqual(cuts * 60);
    },
    (cuts + 2) * 12 * 60_000,
  );

  test(
    'leaves nothing of the settings on the card',
    async () => {
      await machine.cutPower();
      const names = (await machine.onCard()).map(name => name.toLowerCase());
      expect(names.some(name => name.includes('site.yaml'))).toBe(false);
      expect(names.some(name => name.includes('gatehouse.yaml'))).toBe(false);
      machine.switchOn();
      await ready();
    },
    12 * 60_000,
  );
});

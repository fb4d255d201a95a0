import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openCertificates } from '../../src/operations/certificates.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import { productKey } from '../support/site.ts';
import { credentials } from '../support/terminal.ts';
import { until } from '../support/until.ts';
import { aCloudFor, anUplink, configFor, nobody } from '../support/uplink.ts';

const id = 'FACE-T1_A0001';

async function aCertificate() {
  const dir = await mkdtemp(join(tmpdir(), 'gatehouse-ca-'));
  const names = { names: ['localhost'], addresses: ['127.0.0.1'] };
  const certificates = await openCertificates({ dir, ...names, clock: realClock, log: silentLog });
  return {
    tls: certificates.current(),
    ca: certificates.caPem,
    async [Symbol.asyncDispose]() {
      await certificates[Symbol.asyncDispose]();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

describe('over TLS', () => {
  test.each([
    ['MQTT', 'mqtt', {}],
    ['HTTP', 'http', { deviceMqtt: undefined }],
  ] as const)('records arrive over %s at a cloud whose root is configured', async (_name, via, change) => {
    await using certificate = await aCertificate();
    await using cloud = await aCloudFor({ tls: certificate.tls });
    await using uplink = await anUplink(configFor(cloud, 'per-device', { ca: certificate.ca, ...change }));
    expect(cloud.urls.deviceMqtt).toContain('mqtts://');
    await uplink.punches(await uplink.device(id), 1, 3);
    await until('all arrived', () => cloud.arrivals.countOf(id) === 3);
    expect(cloud.arrivals.of(id).map(arrival => arrival.via)).toEqual([via, via, via]);
  });

  test('nothing is sent to a cloud whose root is not trusted, and status says what to do', async () => {
    await using certificate = await aCertificate();
    await using cloud = await aCloudFor({ tls: certificate.tls });
    await using uplink = await anUplink(configFor(cloud, 'per-device', { deviceHttp: undefined }));
    await uplink.punches(await uplink.device(id), 1, 1);
    const { uplink: summary } = await until('it is down', async () => {
      const status = await uplink.upstream.status();
      return status.uplink.nextTryAt !== null ? status : null;
    });
    expect(summary).toMatchObject({ state: 'down', why: expect.stringContaining('upstream.ca') });
    expect(cloud.stats().received).toBe(0);
  });
});

/** A wire that can be cut in the middle of a way, the other way left alone. */
async function aWire(to: string): Promise<{ url: string; open: boolean; server: Server } & AsyncDisposable> {
  const { hostname, port } = new URL(to);
  const wire = {
    open: false,
    url: '',
    server: createServer(socket => {
      if (!wire.open) return socket.destroy();
      const onward = connect(Number(port), hostname);
      socket.on('error', () => onward.destroy());
      onward.on('error', () => socket.destroy());
      socket.pipe(onward).pipe(socket);
    }),
    async [Symbol.asyncDispose]() {
      wire.server.close();
    },
  };
  await new Promise<void>(resolve => wire.server.listen(0, '127.0.0.1', resolve));
  wire.url = `mqtt://127.0.0.1:${(wire.server.address() as { port: number }).port}`;
  return wire;
}

test.each([1, 3])(
  'while MQTT is blocked records go over HTTP, and over MQTT again when it is free (%i devices)',
  async count => {
    const clock = hurriedClock(100);
    await using cloud = await aCloudFor({ clock });
    await using wire = await aWire(cloud.urls.deviceMqtt!);
    await using uplink = await anUplink(configFor(cloud, 'per-device', { deviceMqtt: wire.url }), { clock });
    const ids = Array.from({ length: count }, (_, index) => `FACE-T1_B${index}`);
    const devices = await Promise.all(ids.map(one => uplink.device(one)));
    for (const device of devices) uplink.upstream.presence(device.deviceNo, true);
    for (const device of devices) await uplink.punches(device, 1, 3);
    await until('all arrived', () => ids.every(one => cloud.arrivals.countOf(one) === 3));
    expect(new Set(cloud.arrivals.all().map(({ via }) => via))).toEqual(new Set(['http']));
    wire.open = true;
    let said = 3;
    await until('they come over MQTT', async () => {
      said++;
      for (const device of devices) await uplink.punches(device, said, said);
      await until('it arrived', () => ids.every(one => cloud.arrivals.countOf(one) >= said));
      return ids.every(one => cloud.arrivals.of(one).at(-1)?.via === 'mqtt');
    });
  },
);

describe('asking the cloud about a login', () => {
  const asked = (key: string) => {
    const { clientId, username: userName, password } = credentials({ deviceId: id, key });
    return { clientId, userName, password };
  };

  test.each([
    ['MQTT', {}],
    ['HTTP', { deviceMqtt: undefined }],
  ] as const)('over %s it is accepted or refused by what it presents', async (_name, change) => {
    await using cloud = await aCloudFor();
    await using uplink = await anUplink(configFor(cloud, 'per-device', change));
    expect(await uplink.upstream.tryLogin(asked(productKey))).toBe('accepted');
    expect(await uplink.upstream.tryLogin(asked('wrong'))).toBe('refused');
    await until('nothing is left of it', () => !cloud.isOnline(id));
  });

  test('an unreachable cloud differs from a refusal, also when it accepts the connection and never answers', async () => {
    await using uplink = await anUplink({ mode: 'per-device', deviceMqtt: nobody });
    expect(await uplink.upstream.tryLogin(asked(productKey))).toBe('unreachable');
    await using silent = await aCloudFor({ faults: { hang: 1 } });
    await using other = await anUplink(configFor(silent, 'per-device', { deviceHttp: undefined }), {
      clock: hurriedClock(20),
    });
    expect(await other.upstream.tryLogin(asked(productKey))).toBe('unreachable');
  });
});

test('a device whose key only the cloud knows is accepted there with the password that it presented', async () => {
  await using cloud = await aCloudFor({ deviceKeys: { [id]: 'only the cloud has it' } });
  await using uplink = await anUplink(configFor(cloud));
  const device = await uplink.device(id);
  const { password } = credentials({ deviceId: id, key: 'only the cloud has it' });
  await uplink.store.write.setPresentedPassword({ deviceNo: device.deviceNo, password });
  await uplink.punches(device, 1, 2);
  await until('both arrived', () => cloud.arrivals.countOf(id) === 2);
});

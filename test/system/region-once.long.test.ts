import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask } from '../support/gateway.ts';
import { postgresOfFile, suiteWithPostgres } from '../support/postgres.ts';
import type { BoxProcess } from '../support/program.ts';
import { portal, ServiceCaller } from '../support/services.ts';
import { aSite, productKey } from '../support/site.ts';
import { HttpTerminal, MqttTerminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';
import { WatchedProcesses } from '../support/watched-processes.ts';

const site = { ...aSite(), apps: [portal], message_templates: [{ template: 'late', title: 'Late', body: 'Late' }] };

/** Two processes, and the directory that they share. */
async function twoProcesses(postgres: Awaited<ReturnType<ReturnType<typeof postgresOfFile>>>, config: object = {}) {
  await using parts = new AsyncDisposableStack();
  const files = await mkdtemp(join(tmpdir(), 'gatehouse-files-'));
  parts.defer(() => rm(files, { recursive: true, force: true }));
  const configOf = () => ({ ...config, store: { files } });
  const watched = parts.use(await WatchedProcesses.start(postgres, { count: 2, site, configOf }));
  const held = parts.move();
  const [one, other] = watched.processes as [BoxProcess, BoxProcess];
  return { watched, one, other, files, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

async function call(box: BoxProcess, path: string, body?: string | Uint8Array, type = 'application/json') {
  const ca = await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8');
  const headers = {
    ...new ServiceCaller('', Date.now, portal).signature(randomBytes(3).toString('hex')),
    ...(body === undefined ? {} : { 'content-type': type }),
  };
  return ask(`https://${box.addresses.https}${path}`, { ca, headers, ...(body === undefined ? {} : { body }) });
}

/** The pushes that an app hears over its event stream at a process. */
async function anApp(box: BoxProcess, identity: string) {
  const ca = await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8');
  const headers = new ServiceCaller('', Date.now, portal).signature(randomBytes(3).toString('hex'));
  const path = `/api/1.0.0/message/app/stream?identity=${identity}&platform=android`;
  let text = '';
  const outgoing = request(`https://${box.addresses.https}${path}`, { ca, headers, agent: false });
  outgoing.on('error', () => {});
  outgoing.on('response', answer =>
    answer.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    }),
  );
  outgoing.end();
  await until('the stream is open', () => text.includes(': here'));
  return {
    heard: () => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id),
    [Symbol.dispose]: () => outgoing.destroy(),
  };
}

interface Called {
  readonly kind: string;
  readonly events?: readonly { readonly seq: number }[];
}

/** A web server of the site, and what it was called with. */
async function aReceiver() {
  const calls: Called[] = [];
  const server = createServer(async (incoming, answer) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    calls.push((JSON.parse(body) as { data: Called }).data);
    answer.end();
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seqs: () => calls.flatMap(({ events }) => events?.map(({ seq }) => seq) ?? []),
    alerts: () => calls.filter(({ events }) => events === undefined),
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function punches(box: BoxProcess, deviceId: string, count: number): Promise<void> {
  const ca = await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8');
  const terminal = new HttpTerminal({ deviceId, key: productKey }, `https://127.0.0.1:${box.port('https')}`, ca);
  for (let turn = 0; turn < count; turn++) await terminal.say('device');
  await terminal.end();
}

suiteWithPostgres('what a region does once and shows everywhere', () => {
  const postgres = postgresOfFile();

  test('a file that one process took is read through the other, also after it was killed', async () => {
    await using region = await twoProcesses(await postgres());
    const { one, other } = region;
    const bytes = randomBytes(3 << 20);
    const upload = await call(
      one,
      '/api/v1.0.0/file?client=A0001&public=true&name=a.bin',
      bytes,
      'application/octet-stream',
    );
    expect(upload.json).toMatchObject({ code: 0, data: { public_url: expect.any(String) } });
    const { file_id: fileId, public_url: link } = upload.json.data as { file_id: string; public_url: string };
    const path = new URL(link).pathname;
    for (const process of [other, one]) {
      expect((await call(process, `/api/v1.0.0/file/${fileId}`)).json).toMatchObject({ data: { file_id: fileId } });
      const { status, headers } = await call(process, path);
      expect(status).toBe(200);
      expect(headers.etag).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`);
    }
    // One that starts again beside the other leaves alone what is there.
    await region.watched.restart(one, 'kill9');
    expect((await call(one, path)).status).toBe(200);
    expect(await other.ask('status')).not.toContain('files are known to one process only');
  });

  test('a push reaches an app whichever process it listens to, and counts each stream once', async () => {
    await using region = await twoProcesses(await postgres());
    const { one, other } = region;
    using here = await anApp(one, 'mei');
    using there = await anApp(other, 'mei');
    using nobody = await anApp(other, 'lan');
    const push = await call(
      one,
      '/api/1.0.0/message/app',
      JSON.stringify({
        content: { template: 'late' },
        platforms: ['android'],
        target: { identities: ['mei'] },
      }),
    );
    expect(push.json).toMatchObject({ code: 0 });
    await until('both have it', () => here.heard().length + there.heard().length === 2);
    expect(here.heard()).toEqual(there.heard());
    const [id] = here.heard();
    const counted = async () => {
      const { json } = await call(other, `/api/1.0.0/message/app?msgIdList=${id}`);
      return (json.data as { android_send: number }[])[0]?.android_send;
    };
    await until('both are counted', async () => (await counted()) === 2);
    expect(nobody.heard()).toEqual([]);
  });

  test('a webhook is called once for each event, by whichever process is left', async () => {
    using receiver = await aReceiver();
    const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
    const webhooks = [{ name: 'payroll', url: receiver.url, secret, kinds: ['checkins'] }];
    const server = await postgres();
    await using region = await twoProcesses(server, { events: { webhooks } });
    const { one, other } = region;
    await punches(one, 'FACE-T1_A0001', 3);
    await punches(other, 'FACE-T1_A0002', 3);
    await until('all six were told', () => receiver.seqs().length >= 6);
    expect(new Set(receiver.seqs()).size).toBe(6);
    expect(receiver.seqs()).toHaveLength(6);
    // What was taken and is not noted yet is sent again after a kill, with the same id.
    const noted = () => server.run(/(\w+)\?/.exec(region.watched.url)![1]!, 'SELECT max(seq) FROM webhook_place');
    await until('that is noted', () => noted().trim() === '6');
    // The one that has the turn since it was there first.
    await region.watched.restart(one, 'kill9', async () => {
      await punches(other, 'FACE-T1_A0003', 3);
      await until('the other one goes on', () => receiver.seqs().length >= 9);
    });
    expect(new Set(receiver.seqs()).size).toBe(9);
    expect(receiver.seqs()).toHaveLength(9);
  });

  test('a webhook that is added and changed through one process is called by another, and all show its messages', async () => {
    using receiver = await aReceiver();
    await using region = await twoProcesses(await postgres());
    const { one, other } = region;
    const token = (await one.ask('token', 'create', '--role', 'admin')).trim();
    const admin = async (box: BoxProcess, method: string, path: string, body?: object) => {
      const ca = await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8');
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const { json } = await ask(`https://${box.addresses.https}/admin/v1/webhooks${path}`, {
        ...{ ca, headers, method },
        ...sent,
      });
      return json as unknown as { rows: { state: string; count: number; id: string }[] };
    };
    await admin(other, 'POST', '', { name: 'payroll', url: receiver.url, kinds: ['checkins'] });
    await punches(one, 'FACE-T1_A0001', 2);
    await punches(other, 'FACE-T1_A0002', 2);
    await until('all four were told', () => receiver.seqs().length >= 4);
    const messages = async (box: BoxProcess) => (await admin(box, 'GET', '/payroll/deliveries')).rows;
    /** Events that the receiver took, as the box shows it: noted after the answer. */
    const taken = async (box: BoxProcess) =>
      (await messages(box)).reduce((all, { state, count }) => all + (state === 'taken' ? count : 0), 0);
    await until('they are noted', async () => (await taken(one)) === 4);
    expect(await messages(other)).toEqual(await messages(one));
    await admin(other, 'PUT', '/payroll', { paused: true });
    await punches(one, 'FACE-T1_A0003', 1);
    await admin(one, 'PUT', '/payroll', { paused: false, url: `${receiver.url}/elsewhere` });
    await until('the fifth is noted', async () => (await taken(other)) === 5);
    const [last] = await messages(other);
    await admin(other, 'POST', '/payroll/again', { id: last!.id });
    await until('it was told again', () => receiver.seqs().length >= 6);
    expect(new Set(receiver.seqs()).size).toBe(5);
    expect(receiver.seqs()).toHaveLength(6);
    await admin(other, 'DELETE', '/payroll');
    expect((await admin(one, 'GET', '')).rows).toEqual([]);
  });

  test('an alert about what one process sees is sent once and shown by both, and who takes over goes on from there', async () => {
    using robot = await aReceiver();
    const rules = { logins: { at: 1, minutes: 0 }, silent: { minutes: 0 } };
    const alerts = { wait_seconds: 0, rules, webhook: { url: robot.url } };
    await using region = await twoProcesses(await postgres(), { alerts });
    const { one, other } = region;
    const sent = (kind: string) => robot.alerts().filter(alert => alert.kind === kind).length;
    const isShown = async (box: BoxProcess) =>
      (JSON.parse(await box.ask('alerts', '--json')).open as { kind: string }[]).some(({ kind }) => kind === 'logins');
    const ca = await readFile(join(other.dataDir, 'tls', 'ca.pem'), 'utf8');
    const device = (deviceId: string) =>
      new MqttTerminal({ deviceId, key: productKey }, `mqtts://127.0.0.1:${other.port('mqtts')}`, { ca });
    /** Has the alerts looked at; whoever has come stays, so that none of them is silent. */
    const here: MqttTerminal[] = [];
    const another = () => {
      if (here.length >= 20) return;
      here.push(device(`FACE-T1_B${1000 + here.length}`));
      // Nobody waits for the answer: a process that was started again listens at another port.
      here
        .at(-1)!
        .say('device')
        .catch(() => {});
    };
    /** Three guesses; again at a process that was started again, which knows of none. */
    let guessedAt = 0;
    const guessed = async () => {
      if (guessedAt === other.pid) return;
      const guess = { deviceId: 'FACE-T1_A0001', key: 'wrong' };
      const guessing = new HttpTerminal(guess, `https://127.0.0.1:${other.port('https')}`, ca);
      for (let count = 0; count < 3; count++) await guessing.connect();
      guessing.end();
      for (const gone of here.splice(0)) await gone.end();
      guessedAt = other.pid;
    };
    await until('it is sent', async () => {
      await guessed();
      another();
      return sent('logins') > 0;
    });
    for (const box of [one, other]) await until('it is shown', () => isShown(box));
    const before = sent('silent');
    await region.watched.restart(one, 'kill9', async () => {
      await until('the other one goes on', () => other.stderr.includes('this process sends the alerts'));
      const silent = device('FACE-T1_A0003');
      await silent.say('device');
      await silent.end();
      await until('it sends', () => {
        another();
        return sent('silent') > before;
      });
    });
    expect(sent('logins')).toBe(1);
    for (const one of here) await one.end();
    // Alerts are looked at every 30 s, four times here, each as late as a busy machine makes it.
  });
});

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { generate } from 'mqtt-packet';
import { credentials } from './terminal.ts';

/**
 * Runs all attacks on a box at once, from some addresses. A program of its own, with the settings
 * below as JSON: it attacks for `seconds`, and until each attack was begun, then prints one line of
 * JSON with how often each attack was begun, on a connection that stood, and how often the box
 * ended it. Connections and their rate are bounded.
 */
export interface AttackSettings {
  readonly mqtts: number;
  readonly https: number;
  /** The broker for programs. */
  readonly events: number;
  /** How many addresses the connections come from, in turns: 1 to 256. */
  readonly addresses: number;
  readonly ca: string;
  readonly productKey: string;
  readonly seconds: number;
  /** The attacks that run; absent: all. */
  readonly only?: readonly AttackName[];
}

export type AttackName = keyof typeof attacks;
export type AttackReport = Readonly<Record<AttackName, { readonly begun: number; readonly ended: number }>>;

/** How often an attack was made so far. */
interface Attacker {
  readonly tally: { begun: number; ended: number };
}

// Real attackers have machines of their own: here the box and its clients get the processor first.
setPriority(5);
const settings: AttackSettings = JSON.parse(process.argv[2] ?? '{}');
const ca = readFileSync(settings.ca, 'utf8');
const report: Partial<Record<AttackName, Attacker['tally']>> = {};
const end = performance.now() + settings.seconds * 1000;
/** Until each attack was begun, however little of the processor is left for it. */
const goesOn = () => performance.now() < end || Object.values(report).some(({ begun }) => begun === 0);
const pause = (ms: number) =>
  new Promise<void>(resolve =>
    setTimeout(resolve, Math.min(ms, Math.max(goesOn() ? 100 : 0, end - performance.now()))),
  );

let opened = 0;
const open = (port: number, tls: boolean, from?: string): Socket => {
  const at = opened++ % settings.addresses;
  const to = { host: '127.0.0.1', port, localAddress: from ?? `127.0.${1 + (at >> 7)}.${2 + (at & 127)}` };
  const socket = tls ? connectTls({ ...to, ca, rejectUnauthorized: false }) : connectTcp(to);
  socket.on('error', () => {});
  return socket;
};

/**
 * Keeps `count` connections open: one that has ended is opened again after `againMs`. `act` is
 * called for each open connection. `from`: an address that all of them have.
 */
async function keep(
  attacker: Attacker,
  count: number,
  againMs: number,
  tls: boolean,
  port: number,
  act: (socket: Socket) => void,
  from?: string,
) {
  const one = async () => {
    while (goesOn()) {
      const socket = open(port, tls, from);
      socket.once('connect', () => attacker.tally.begun++);
      socket.resume();
      const closed = new Promise<void>(resolve => socket.once('close', () => resolve()));
      socket.once(tls ? 'secureConnect' : 'connect', () => act(socket));
      await Promise.race([closed.then(() => void attacker.tally.ended++), pause(Number.POSITIVE_INFINITY)]);
      socket.destroy();
      await pause(againMs);
    }
  };
  await Promise.all(Array.from({ length: count }, one));
}

/** Makes one call; returns the answer, or undefined if the connection ended without one. */
function call(attacker: Attacker, head: readonly string[], body: string): Promise<number | undefined> {
  return new Promise(resolve => {
    const socket = open(settings.https, true);
    socket.once('connect', () => attacker.tally.begun++);
    let said = '';
    socket.setTimeout(15_000, () => socket.destroy());
    socket.on('data', chunk => {
      said += chunk.toString('latin1');
      socket.destroy();
    });
    socket.once('close', () => {
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(said)?.[1]) || undefined;
      if (status === undefined || status >= 400) attacker.tally.ended++;
      resolve(status);
    });
    socket.write(
      [...head, 'Host: box', `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close', '', body].join('\r\n'),
    );
  });
}

/** Calls again and again, `width` at a time. */
async function calls(
  attacker: Attacker,
  width: number,
  pauseMs: number,
  next: () => readonly [readonly string[], string],
) {
  const one = async () => {
    while (goesOn()) {
      const [head, body] = next();
      await call(attacker, head, body);
      await pause(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: width }, one));
}

const login = (deviceId: string, key: string, more: Record<string, unknown> = {}): Buffer => {
  const { clientId, username, password } = credentials({ deviceId, key });
  return generate({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    keepalive: 60,
    clientId,
    username,
    password: Buffer.from(password),
    ...more,
  });
};

const chunk = Buffer.alloc(64 << 10, 'x');
const json = 'Content-Type: application/json';
let count = 0;
const fresh = () => String(++count);

/** Writes `bytes` as fast as they are accepted. */
function pour(socket: Socket, bytes: number): void {
  let left = bytes;
  const more = () => {
    while (left > 0 && !socket.destroyed) {
      left -= chunk.length;
      if (!socket.write(chunk)) return void socket.once('drain', more);
    }
  };
  more();
}

const attacks = {
  /** Bodies of 400 MiB for the sign-in route. */
  async bodies(attacker: Attacker) {
    const of = (path: string) => (socket: Socket) => {
      socket.write(`POST /admin/v1/${path} HTTP/1.1\r\nHost: box\r\n${json}\r\nContent-Length: ${400 << 20}\r\n\r\n`);
      pour(socket, 400 << 20);
    };
    await Promise.all(['session', 'first-account'].map(path => keep(attacker, 4, 500, true, settings.https, of(path))));
  },
  /** 200 CONNECTs of 1 MiB that never end. */
  async unfinishedConnects(attacker: Attacker) {
    const length = (1 << 20) + 12;
    const head = Buffer.from([
      0x10,
      (length & 127) | 128,
      ((length >> 7) & 127) | 128,
      length >> 14,
      0,
      4,
      0x4d,
      0x51,
      0x54,
      0x54,
      4,
      2,
      0,
      60,
      0xff,
      0xff,
    ]);
    await keep(attacker, 200, 1000, true, settings.mqtts, socket => {
      socket.write(head);
      pour(socket, 1 << 20);
    });
  },
  /** Connections that say nothing, at both listeners. */
  async floods(attacker: Attacker) {
    await Promise.all([settings.mqtts, settings.https].map(port => keep(attacker, 1200, 2000, false, port, () => {})));
  },
  /** TLS handshakes, one after the other. */
  async handshakes(attacker: Attacker) {
    await Promise.all(
      [settings.mqtts, settings.https].map(port => keep(attacker, 20, 100, true, port, socket => socket.destroy())),
    );
  },
  /** 300 posts that send one byte in ten seconds. */
  async slowPosts(attacker: Attacker) {
    await keep(attacker, 300, 1000, true, settings.https, async socket => {
      socket.write(`POST /api/connect/FACE-T1_SLOW HTTP/1.1\r\nHost: box\r\n${json}\r\nContent-Length: 1000\r\n\r\n{`);
      while (!socket.destroyed && goesOn()) {
        await pause(10_000);
        if (!socket.destroyed) socket.write(' ');
      }
    });
  },
  /** Messages of QoS 2 that are never released, by devices that have logged in. */
  async qos2(attacker: Attacker) {
    const body = Buffer.concat([Buffer.from([0, 6]), Buffer.from('device'), Buffer.from([0, 0])]);
    await keep(attacker, 5, 200, true, settings.mqtts, socket => {
      socket.write(login(`FACE-T1_QOS${Math.floor(Math.random() * 5)}`, settings.productKey));
      socket.once('data', async () => {
        const length = body.length + (1000 << 10);
        for (let id = 1; id < 60_000 && !socket.destroyed && goesOn(); id++) {
          body.writeUInt16BE(id, 8);
          socket.write(Buffer.from([0x34, (length & 127) | 128, ((length >> 7) & 127) | 128, length >> 14]));
          socket.write(Buffer.from(body));
          if (!socket.write(Buffer.alloc(1000 << 10, 'y')))
            await new Promise<void>(resolve => {
              socket.once('drain', resolve);
              socket.once('close', resolve);
            });
        }
      });
    });
  },
  /** Guesses at a device's key, over both gateways. */
  async deviceLogins(attacker: Attacker) {
    await Promise.all([
      keep(attacker, 10, 20, true, settings.mqtts, socket => socket.write(login('FACE-T1_GOOD', `guess${fresh()}`))),
      calls(attacker, 10, 20, () => {
        const { clientId, username, password } = credentials({ deviceId: 'FACE-T1_GOOD', key: `guess${fresh()}` });
        const body = JSON.stringify({ clientId, userName: username, password, keepAliveTime: 30 });
        return [[`POST /api/connect/${clientId} HTTP/1.1`, json], body];
      }),
    ]);
  },
  /** Wrong signatures at the attendance API and the public services. */
  async signatures(attacker: Attacker) {
    const wrong = () => createHash('md5').update(fresh()).digest('hex');
    await Promise.all([
      calls(attacker, 5, 20, () => [
        [
          'POST /v2.0/cloudappapi HTTP/1.1',
          json,
          'App-Key: ak1',
          `App-Timestamp: ${Date.now()}`,
          `App-Sig: ${wrong()}`,
          'Api-Module: CHECKIN',
          'Api-Cmd: PULL',
        ],
        '{}',
      ]),
      calls(attacker, 5, 20, () => [
        [
          'GET /weather/now HTTP/1.1',
          'app_id: hr-portal',
          `nonce: n${fresh()}`,
          `timestamp: ${Date.now()}`,
          `sig: ${wrong()}`,
        ],
        '',
      ]),
    ]);
  },
  /** Bodies in chunks of one byte that never end: of strangers, and of devices with a session. */
  async byteBodies(attacker: Attacker) {
    const chunked = `Host: box\r\n${json}\r\nTransfer-Encoding: chunked\r\n`;
    await Promise.all([
      keep(attacker, 60, 500, true, settings.https, socket => {
        socket.write(`POST /oauth/token HTTP/1.1\r\n${chunked}\r\n`);
        pourBytes(socket);
      }),
      keep(attacker, 4, 500, true, settings.https, socket => {
        const { clientId, username, password } = credentials({
          ...{ deviceId: `FACE-T1_BYTES${Math.floor(Math.random() * 4)}`, key: settings.productKey },
        });
        const body = JSON.stringify({ clientId, userName: username, password, keepAliveTime: 30 });
        const length = `Content-Length: ${Buffer.byteLength(body)}`;
        socket.write(`POST /api/connect/${clientId} HTTP/1.1\r\nHost: box\r\n${json}\r\n${length}\r\n\r\n${body}`);
        socket.once('data', (answer: Buffer) => {
          const token = /authorization: ?(\S+)/i.exec(answer.toString('latin1'))?.[1] ?? '';
          socket.write(`POST /api/push/${clientId} HTTP/1.1\r\n${chunked}Authorization: ${token}\r\n\r\n`);
          pourBytes(socket);
        });
      }),
    ]);
  },
  /** A thousand connections that ask twenty times for the largest document and read nothing. */
  async unread(attacker: Attacker) {
    await keep(attacker, 1000, 1000, true, settings.https, socket => {
      socket.pause();
      socket.write('GET /openapi.json HTTP/1.1\r\nHost: box\r\n\r\n'.repeat(20));
    });
  },
  /**
   * Fifty connections that ask whether somebody has signed in: some as fast as they may, 1 MB a
   * second, the others twenty times as soon as they have the answers before.
   */
  async pipelines(attacker: Attacker) {
    const ask = 'GET /admin/v1/session HTTP/1.1\r\nHost: box\r\n\r\n'.repeat(20);
    await Promise.all([
      keep(attacker, 25, 100, true, settings.https, async socket => {
        while (!socket.destroyed && goesOn()) {
          socket.write(ask);
          await pause(50);
        }
      }),
      keep(attacker, 25, 100, true, settings.https, socket => {
        let answers = 0;
        socket.write(ask);
        socket.on('data', (said: Buffer) => {
          answers += said.toString('latin1').split('HTTP/1.1 ').length - 1;
          if (answers >= 20) socket.write(ask);
          answers %= 20;
        });
      }),
    ]);
  },
  /** Handshakes and two bytes of a login at the broker for programs. */
  async programs(attacker: Attacker) {
    await keep(attacker, 200, 500, true, settings.events, socket => socket.write(Buffer.from([0x10, 40])));
  },
  /** A program whose token has ended, at the address of others. */
  async wrongTokens(attacker: Attacker) {
    const packet = (password: string) =>
      generate({
        ...{ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 60 },
        ...{ clientId: 'till', username: 'till', password: Buffer.from(password) },
      });
    const knock = (socket: Socket) => socket.write(packet(fresh().padStart(43, 'x')));
    await keep(attacker, 4, 100, true, settings.events, knock, '127.0.0.1');
  },
  /** Wrong passwords for an existing account, and unknown names. */
  async staffLogins(attacker: Attacker) {
    await calls(attacker, 40, 50, () => [
      ['POST /admin/v1/session HTTP/1.1', json, 'Origin: https://box'],
      JSON.stringify({ name: count % 2 ? 'mei' : `nobody${fresh()}`, password: `guess ${fresh()}` }),
    ]);
  },
};

/** 60,000 chunks of one byte each, a few thousand at a time. */
function pourBytes(socket: Socket): void {
  const some = Buffer.from('1\r\nx\r\n'.repeat(3000));
  let left = 20;
  const more = () => {
    while (left-- > 0 && !socket.destroyed) if (!socket.write(some)) return void socket.once('drain', more);
  };
  more();
}

await Promise.all(
  (Object.keys(attacks) as AttackName[])
    .filter(name => settings.only?.includes(name) ?? true)
    .map(name => {
      const tally = { begun: 0, ended: 0 };
      report[name] = tally;
      return attacks[name]({ tally });
    }),
);
while (goesOn()) await pause(Number.POSITIVE_INFINITY);
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0));

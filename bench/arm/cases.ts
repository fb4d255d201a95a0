import type { MqttLoad } from '../load-mqtt.ts';
import { measureConnecting, measureMqtt, mqttLoad, type Seen } from '../measure.ts';
import type { Server } from '../servers.ts';
import { shape, site } from '../site-store.ts';
import { monthAsCsv, reportMonth } from './month.ts';

interface Times {
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

type Load = (server: Server, times: Times, begun: () => void) => Promise<Seen>;

export interface Case {
  readonly name: string;
  readonly load: Load;
  /** In flight together; 0: what is counted waits for no commit. */
  readonly inFlight: number;
  /** Applied at the start; absent: the product of the load alone. */
  readonly site?: object;
}

const messages = (name: string, more: Partial<MqttLoad>): Case => {
  const [connections, window] = [more.connections ?? 50, more.window ?? 16];
  return {
    name,
    load: (server, times, begun) =>
      measureMqtt(server, mqttLoad(server, more.tls ?? false, { ...times, connections, window, ...more }), begun),
    inFlight: connections * window,
  };
};
const connections = (name: string, tls: boolean): Case => ({
  name,
  load: (server, { seconds, warmUpSeconds }, begun) =>
    measureConnecting(server, tls, seconds, { warmUpSeconds }, begun),
  inFlight: 0,
});

const oneInFlight = { connections: 200, window: 1 } as const;
/** What devices get from a board without instructions for AES (`src/listeners/tls.ts`). */
const chaCha = { tls: true, suite: 'TLS_CHACHA20_POLY1305_SHA256' } as const;

/** What a box does at a site, each with what is counted. */
export const cases = {
  log: messages('a log of 200 B, 16 in flight, plain', {}),
  logOverAes: messages('a log of 200 B, 16 in flight, TLS with AES-128', {
    tls: true,
    suite: 'TLS_AES_128_GCM_SHA256',
  }),
  logOverTls: messages('a log of 200 B, 16 in flight, TLS with ChaCha20', chaCha),
  loneLog: messages('a log of 200 B, one in flight, plain', oneInFlight),
  checkin: messages('a check-in, 16 in flight, TLS with ChaCha20', { channel: 'checkin', ...chaCha }),
  loneCheckin: messages('a check-in, one in flight, TLS with ChaCha20', {
    channel: 'checkin',
    ...chaCha,
    ...oneInFlight,
  }),
  login: connections('a login of a known device, plain', false),
  loginOverTls: connections('a login of a known device, TLS with ECDSA', true),
  row: {
    name: `a check-in, ${shape.perMessage} in a message, plain, until its row is in the tables`,
    load: (server, _, begun) => reportMonth(server, begun),
    inFlight: 0,
    site,
  },
  month: {
    name: `a person's month, in a CSV of ${shape.people.toLocaleString('en-US')} people`,
    load: (server, _, begun) => monthAsCsv(server, begun),
    inFlight: 0,
    site,
  },
} satisfies Readonly<Record<string, Case>>;

export type CaseName = keyof typeof cases;

import { expect } from 'vitest';
import type { Seq } from '../../src/store/index.ts';
import { aClient, type HttpAnswer, signInEverybody } from './every-caller.ts';
import { aBoxWithEveryListener } from './every-listener.ts';
import { append, registered } from './store.ts';
import { punch } from './terminal.ts';

const deviceId = 'FACE-T1_A0001';

/** A box with or without the broker for programs, a person `e1`, and a terminal whose records come by call. */
export async function aBoxWithEvents(listen = 'off') {
  await using parts = new AsyncDisposableStack();
  const { box, target } = parts.use(await aBoxWithEveryListener({ GATEHOUSE_LISTEN__EVENTS: listen }));
  const site = {
    departments: [{ ext_id: 'd1', name: 'Assembly' }],
    employees: [{ ext_id: 'e1', name: 'Wang Fang', mobile: '', department: { ext_id: 'd1' } }],
  };
  const applied = await box.admin.apply({ site: site as never, prune: false, dryRun: false });
  if (!applied.ok) throw new Error(JSON.stringify(applied));
  const { deviceNo } = await registered(box.store, deviceId);
  const https = target('https');
  const client = parts.use(aClient(https));
  let records = 0;
  const say = (channel: 'device' | 'log', text: string) =>
    append(box.store, {
      ...{ deviceNo, channel, receivedAt: Date.now(), marks: {} },
      logPath: channel === 'log' ? 'FT1/A0001' : '',
      payload: Buffer.from(text),
    });
  const running = parts.move();
  return {
    ...{ box, https, deviceId },
    credentials: () => signInEverybody(box),
    /** A token of role `events` that hears these topics. */
    program: async (name: string, ...topics: string[]) =>
      (await box.admin.tokens.make({ name, role: 'events', days: null, topics, actions: null })).token,
    token: async (role: 'viewer' | 'staff' | 'admin') =>
      (await box.admin.tokens.make({ name: `a ${role}`, role, days: null, topics: null, actions: null })).token,
    get: (path: string, token: string): Promise<HttpAnswer> =>
      client.ask({ method: 'GET', path: `/admin/v1${path}`, headers: { authorization: `Bearer ${token}` } }),
    /** Commits punches of a person, of one record each. */
    async punches(count: number, person = 'e1') {
      for (let one = 0; one < count; one++) {
        records++;
        await say('device', punch(deviceId, `m${records}`, person, 1_763_600_000 + records));
      }
    },
    /** Commits a passage at a door, with a photo. */
    passage: () => {
      const captured = { capture_img: Buffer.from('a face').toString('base64') };
      const record = { ext_id: 'e1', check_type: 'fa', check_time: 1_763_600_000, check_result: 0, ...captured };
      const data = { door_id: 'north', records: [record] };
      const said = { mid: `m${++records}`, from: deviceId, to: 'system', time: 0, action: 2002, data };
      return say('device', JSON.stringify(said));
    },
    logs: async (...texts: string[]) => {
      for (const text of texts) await say('log', text);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

export type EventBox = Awaited<ReturnType<typeof aBoxWithEvents>>;

export interface EventPage {
  readonly rows: readonly { readonly seq: Seq; readonly previous: number; readonly ext_id?: string }[];
  readonly through: number;
  readonly more: boolean;
  readonly epoch: string;
}

export function pageOf(answer: HttpAnswer): EventPage {
  expect(answer.status, answer.body).toBe(200);
  return JSON.parse(answer.body);
}

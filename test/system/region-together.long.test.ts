import { expect, test } from 'vitest';
import { mqttPassword } from '../../src/platform/signature.ts';
import { ask } from '../support/gateway.ts';
import { suiteWithPostgres } from '../support/postgres.ts';
import type { BoxProcess } from '../support/program.ts';
import { aRegion } from '../support/region.ts';
import { ServiceCaller } from '../support/services.ts';
import { aSite, productKey } from '../support/site.ts';
import { suiteNeeding } from '../support/tools.ts';
import { until } from '../support/until.ts';

const id = 'FACE-T1_R0001';
const [productId = '', sn = ''] = id.split('_');
const message_templates = [{ template: 'code', body: 'Your code is {{code}}' }];
const portal = { app_id: 'hr-portal', app_key: 'k1-of-the-portal' };
const onlineAt = async (process: BoxProcess): Promise<number> =>
  JSON.parse(await process.ask('status', '--json')).devices.online;

suiteNeeding('haproxy', 'haproxy', 'two processes behind a proxy that gives each connection to the next one', () => {
  suiteWithPostgres('on PostgreSQL', () => {
    test('know the sessions of devices, who is online, wrong passwords and signed calls together', async () => {
      await using region = await aRegion({ ...aSite(), apps: [portal], message_templates });
      const { ca, url, watched } = region;
      const [one, other] = watched.processes as [BoxProcess, BoxProcess];
      const password = mqttPassword({ deviceId: id, productId, accessKey: productKey });
      const login = { clientId: id, userName: productId, password, keepAliveTime: 30 };
      const connected = await ask(`${url}/api/connect/${id}`, { ca, body: JSON.stringify(login) });
      const authorization = String(connected.headers.authorization);

      // Each call has a connection of its own, and so the other process than the one before.
      const sent = Array.from({ length: 12 }, (_, index) => `line ${index}`);
      const log = (text: string) =>
        ask(`${url}/api/v2.0/log/FT1/${sn}`, { ca, headers: { authorization }, body: JSON.stringify({ log: text }) });
      for (const text of sent) expect((await log(text)).json, text).toEqual({ code: 0, msg: 'ok' });
      const stored = (await one.export<{ text?: string; log?: string }>('logs')).map(row => JSON.stringify(row));
      const places = sent.map(text => stored.findIndex(row => row.includes(`${text}"`) || row.includes(`${text}\\"`)));
      expect(places).not.toContain(-1);
      expect(Math.abs(places.at(-1)! - places[0]!)).toBe(sent.length - 1);
      const step = Math.sign(places[1]! - places[0]!);
      expect(places.slice(1).map((place, index) => place - places[index]!)).toEqual(Array(sent.length - 1).fill(step));
      for (const process of [one, other])
        await until('it is shown as online', async () => (await onlineAt(process)) === 1);

      const origins = [one, other].map(process => `https://127.0.0.1:${process.port('https')}`);
      const signIn = async (origin: string) => {
        const body = JSON.stringify({ name: 'nobody', password: 'guess' });
        const headers = { 'content-type': 'application/json', origin };
        return (await ask(`${origin}/admin/v1/session`, { ca, headers, body })).status;
      };
      for (let guess = 0; guess < 5; guess++) expect(await signIn(origins[guess % 2]!)).toBe(401);
      // A machine that takes long for five guesses may have another one.
      await until('both refuse to look at more guesses', async () => {
        const answers = [await signIn(origins[0]!), await signIn(origins[1]!)];
        return answers.every(status => status === 429);
      });

      // Ended at one of them, it is over at both, and shown as away.
      expect((await ask(`${url}/api/disconnect/${id}`, { ca, headers: { authorization } })).status).toBe(200);
      await until('it is over', async () => (await log('too late')).status === 406);
      for (const process of [one, other])
        await until('it is shown as away', async () => (await onlineAt(process)) === 0);

      // A signed call that both get at the same time is done once.
      const signature = new ServiceCaller(url, Date.now, portal).signature();
      const body = JSON.stringify({
        content: { template: 'code', template_params: { code: 1234 } },
        target: [{ mobile: '13800000000', mobile_region: '86' }],
      });
      const headers = { ...signature, 'content-type': 'application/json' };
      const answers = await Promise.all(
        origins.map(origin => ask(`${origin}/api/1.0.0/message/short-message`, { ca, headers, body })),
      );
      expect(answers.map(({ json }) => json.code)).toEqual([0, 0]);
      expect(answers[0]!.body).toBe(answers[1]!.body);
    });
  });
});

import { OpenAPIHono } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import { securityTxt } from '../../src/box/security-txt.ts';
import { loadConfig } from '../../src/config/index.ts';
import { HandClock } from '../support/clock.ts';

const ask = async (env: NodeJS.ProcessEnv) => {
  const app = new OpenAPIHono();
  const { config } = loadConfig({ env, cwd: '/' });
  securityTxt(app, config.security, new HandClock(Date.UTC(2026, 0, 10, 5)));
  const answer = await app.request('/.well-known/security.txt');
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
};

test('security.txt names the contact of the config, until when, and the policy', async () => {
  const named = {
    GATEHOUSE_SECURITY__CONTACT: 'mailto:security@plant.example',
    GATEHOUSE_SECURITY__EXPIRES: '2027-06-30',
    GATEHOUSE_SECURITY__POLICY: 'https://plant.example/security',
  };
  expect(await ask(named)).toEqual({
    status: 200,
    type: expect.stringMatching(/^text\/plain; ?charset=utf-8$/i),
    text: 'Contact: mailto:security@plant.example\nExpires: 2027-06-30T00:00:00.000Z\nPolicy: https://plant.example/security\nPreferred-Languages: zh, en\n',
  });
});

test('without a day of its own it is good for half a year', async () => {
  const { text } = await ask({ GATEHOUSE_SECURITY__CONTACT: 'https://plant.example/report' });
  expect(text).toContain('Expires: 2026-07-11T00:00:00.000Z\n');
});

test('without a contact there is no security.txt, and it says what to set', async () => {
  expect(await ask({})).toMatchObject({ status: 404, text: expect.stringContaining('security.contact') });
});

test('a contact that nobody can reach is refused by name', () => {
  expect(() => loadConfig({ env: { GATEHOUSE_SECURITY__CONTACT: 'ask mei' }, cwd: '/' })).toThrow(/SECURITY__CONTACT/);
});

import { expect, test } from 'vitest';
import { alertChannelsBy } from '../../src/alerts/channels/open.ts';
import type { AlertSettings } from '../../src/alerts/settings.ts';
import type { AlertMessage } from '../../src/platform/alerts.ts';
import { aServiceBox, portal, type ServiceBox } from '../support/services.ts';

const text = { template: 'alert', title: '{{title}}', body: '{{title}} {{text}} {{link}}' };
const settings: AlertSettings = {
  push: { app_id: portal.app_id, template: 'alert', tags: ['admins'] },
  sms: { app_id: portal.app_id, template: 'alert', region: '86', mobiles: ['13800000000'] },
};

const message = (now: number): AlertMessage => ({
  ...{ id: 'msg_1', channel: 'push', attempts: 0, nextAt: now },
  content: {
    ...{ type: 'opened', at: now, kind: 'line', severity: 'warn', title: '[Plant 4] The line is away' },
    ...{ lines: ['Since 08:12.'], link: 'https://box.local/system/network', alerts: [] },
  },
});

function channel(name: 'push' | 'sms', { services, clock }: ServiceBox) {
  const by = alertChannelsBy({
    warn: () => {},
    spoken: { language: 'en', timeZone: 'Asia/Shanghai' },
    post: () => Promise.reject(new Error('no push is sent over HTTP by the box itself')),
    mailLookup: undefined,
    secureContext: () => undefined,
    push: (body, appId) => services.push(body, appId),
    sendShort: (body, appId) => services.sendShort(body, appId),
  });
  const now = clock.now();
  return by(name, settings, true).send(message(now), now, new AbortController().signal);
}

test('push and short message go out by the template, in the name of the app', async () => {
  await using box = await aServiceBox({ site: { apps: [portal], message_templates: [text] } });
  await channel('sms', box);
  await channel('push', box);
  const [short] = await box.opened.store.read.messagesToRelay('waits', 10);
  expect(short).toMatchObject({
    ...{ kind: 'sms', appId: portal.app_id, title: '[Plant 4] The line is away' },
    content: {
      mobiles: ['13800000000'],
      body: '[Plant 4] The line is away Since 08:12. https://box.local/system/network',
    },
  });
});

test('a template that is missing is said with what to do', async () => {
  await using box = await aServiceBox({ site: { apps: [portal] } });
  await expect(channel('push', box)).rejects.toThrow(/"alert": no such template: add it under message_templates/);
});

import { expect, test } from 'vitest';
import { serve } from '../../../src/admin/serve.ts';
import { settings, settingsOperations } from '../../../src/admin/ui/settings.ts';
import { SiteSettings } from '../../../src/box/site-settings.ts';
import { anAdminApi, anIdentity } from '../../support/admin.ts';
import { HandClock } from '../../support/clock.ts';
import { aStore } from '../../support/store.ts';

test('another time zone is refused while a month is closed, and taken when it is reopened', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const clock = new HandClock(Date.UTC(2026, 11, 1));
  const ofSite = await SiteSettings.open(store, {
    configured: { name: 'My site', timezone: 'Asia/Shanghai', locale: 'en' },
    origin: () => 'default',
    onChange: () => {},
  });
  const running = settings({ store, settings: ofSite, clock, config: { site: ofSite.site } });
  const api = anAdminApi({} as never, anIdentity('admin'), app => serve(app, settingsOperations, running));
  const change = async () => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ timezone: 'Europe/Berlin' });
    const answer = await api.request('/settings', { method: 'PUT', headers, body });
    return { status: answer.status, json: await answer.json() };
  };
  const at = clock.now();
  const of = {
    month: '2026-11',
    scopeId: '',
    scopeName: '',
    forced: null,
    rules: '1',
    by: 'mei',
    at,
    people: 0,
    instead: null,
  };
  const begun = await store.write.beginClosing({ ...of, timeZone: 'Asia/Shanghai' });
  const { id } = begun.ok ? begun.value : { id: 0 };
  await store.write.finishClosing({ id, head: '{}', foot: '{}', hash: 'abc', at });

  expect(await change()).toMatchObject({ status: 409, json: { title: 'closed_months', problems: ['2026-11'] } });
  expect((await api.request('/settings/preview?timezone=Europe/Berlin')).status).toBe(409);
  expect(ofSite.site.timezone).toBe('Asia/Shanghai');

  await store.write.askReopening({ id, reason: 'wrong zone', approve: true, by: 'mei', at });
  expect(await change()).toMatchObject({ status: 200, json: { site: { timezone: { value: 'Europe/Berlin' } } } });
  expect(ofSite.site.timezone).toBe('Europe/Berlin');
});

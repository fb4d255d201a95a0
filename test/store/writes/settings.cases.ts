import { expect } from 'vitest';
import type { SettingWrites } from '../../../src/store/index.ts';
import type { Cases } from './case.ts';

export const settingCases: Cases<SettingWrites> = {
  keepSiteChoice: async ({ store }) => {
    expect(await store.read.siteChoice()).toEqual({});
    await store.write.keepSiteChoice({ chosen: { name: 'Plant 4', locale: 'en' }, timeZone: 'Asia/Shanghai' });
    await store.write.keepSiteChoice({ chosen: { timezone: 'Europe/Berlin' }, timeZone: 'Europe/Berlin' });
    expect(await store.read.siteChoice()).toEqual({ timezone: 'Europe/Berlin' });
  },

  setOnPage: async ({ store }) => {
    expect(await store.read.pageSettings()).toEqual({});
    await store.write.setOnPage({ 'box.access_key': 'a key', 'upstream.mode': 'gateway' });
    await store.write.setOnPage({ 'box.access_key': 'another key', 'upstream.mode': null });
    expect(await store.read.pageSettings()).toEqual({ 'box.access_key': 'another key' });
  },
};

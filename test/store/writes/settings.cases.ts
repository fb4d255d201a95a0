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
};

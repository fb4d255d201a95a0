import { expect } from 'vitest';
import type { RetentionWrites, SiteWrites, StoreWrites } from '../../../src/store/index.ts';
import { applied, deviceId } from '../../support/store.ts';
import { at, type Cases, dayMs } from './case.ts';

/** The site file, retention, and memory. */
export const upkeepCases: Cases<SiteWrites & RetentionWrites & Pick<StoreWrites, 'collectGarbage'>> = {
  applySite: async ({ store }) => {
    const apps = [{ app_id: 'hr', app_key: 'k1', name: 'HR portal' }];
    const add = { action: 'add', section: 'apps', key: 'hr' } as const;
    expect(await applied(store, { apps }, { dryRun: true })).toMatchObject([add]);
    expect(await store.read.app('hr')).toBeNull();
    expect(await applied(store, { apps })).toMatchObject([add]);
    expect(await store.read.app('hr')).toEqual({ key: 'k1', name: 'HR portal' });
    expect(await applied(store, { apps })).toEqual([]);
    const renamed = [
      { app_id: 'hr', app_key: 'k1', name: 'HR' },
      { app_id: 'canteen', app_key: 'k2' },
    ];
    expect(await applied(store, { apps: renamed })).toMatchObject([
      { action: 'change', fields: ['name'] },
      { action: 'add' },
    ]);
    expect((await store.read.site({ withSecrets: true })).apps).toMatchObject(renamed);
    expect(await applied(store, { apps: renamed.slice(0, 1) }, { prune: true })).toMatchObject([
      { action: 'remove', section: 'apps', key: 'canteen' },
    ]);
    expect(await store.read.app('canteen')).toBeNull();
    // A section that the file does not have is left alone.
    expect(await applied(store, { departments: [] }, { prune: true })).toEqual([]);
    expect(store.directory.device(deviceId('FACE-T1_A0001'))).toBeDefined();
  },
  retire: async ({ store, deviceNo, report }) => {
    const seq = await report('one');
    await store.catchUp();
    const retire = (days: number) => store.write.retire({ now: at + days * dayMs + 1 });
    // The cloud has yet to have it.
    expect(await retire(7)).toMatchObject({ segments: 0 });
    const confirmation = { deviceNo, channel: 'device', upToSeq: seq, floorSeq: seq, at, via: 'mqtt' } as const;
    await store.write.confirm({ confirmations: [confirmation] });
    expect(await retire(6)).toMatchObject({ segments: 0 });
    expect(await retire(7)).toMatchObject({ segments: 1 });
    expect(await store.read.record(seq)).toBeNull();
  },
  collectGarbage: async ({ store, report }) => {
    await store.write.collectGarbage({});
    const seq = await report('afterwards');
    expect(await store.read.record(seq)).not.toBeNull();
  },
};

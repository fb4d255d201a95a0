import type { PageParts } from '../../src/admin/index.ts';
import { serve } from '../../src/admin/serve.ts';
import { type SearchReport, search, searchOperations } from '../../src/admin/ui/search.ts';
import { plainMistake } from '../../src/platform/signed-request.ts';
import type { Device } from '../../src/store/index.ts';
import { anAdminApi, anIdentity } from './admin.ts';
import { HandClock } from './clock.ts';
import { aStore } from './store.ts';

export const noon = Date.parse('2026-11-20T05:00:00Z');

/** A call of the attendance API that was refused, as the API reports it. */
export const refusedCall = (app: string, at: number) => ({
  ...{ at, since: at, address: '10.0.0.7', method: 'POST', path: '/v2.0/employee/query', command: '' },
  ...{ caller: app, identified: false, status: 200, code: 103, ms: 1, ms_max: 1, count: 3, parts: [] },
  why: plainMistake('other_secret', 'The secret is another one.', 'App-Secret'),
});

/** The route over a real store; states and refused calls are in the hands of the test. */
export async function aSearch() {
  const clock = new HandClock(noon);
  const opened = await aStore({ clock });
  const { store } = opened;
  const refusedCalls: ReturnType<typeof refusedCall>[] = [];
  const parts = {
    store,
    clock,
    config: { site: { timezone: 'Asia/Shanghai', name: 'Plant 4' } },
    devices: { stateOf: ({ blocked }: Device) => (blocked ? 'blocked' : 'online') },
    attendance: { status: () => ({ refusedCalls }) },
    services: { refusedCalls: () => [] },
  } as unknown as PageParts;
  const app = anAdminApi({} as never, anIdentity('viewer'), routes => serve(routes, searchOperations, search(parts)));
  const find = async (q: string) =>
    (await (await app.request(`/search?q=${encodeURIComponent(q)}`)).json()) as SearchReport;
  const refuse = (clientId: string, code: 'wrong_password' | 'unknown_product', at = noon - 1000) =>
    store.write.noteRefusal({ at, door: 'mqtt', clientId, address: '10.0.0.9', code, detail: '' });
  return { store, find, refuse, refusedCalls, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}

export const employee = (extId: string, name: string) => ({
  ...{ ext_id: extId, name, mobile: '13800138000', employee_num: `N${extId}` },
  department: { ext_id: 'd1' },
});
export const departments = [
  { ext_id: '0', name: 'Plant 4' },
  { ext_id: 'd1', name: 'Assembly', p_ext_id: '0' },
];

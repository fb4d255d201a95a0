import type { SetupState } from '../provisioning/index.ts';
import type { StoppedStore } from '../store/index.ts';
import type { SetupReport } from './port.ts';

/** The set-up of a running box in the terms of the admin API. */
export const setupReportOf = ({ mode, since, why, name, hotspot, bluetooth, last }: SetupState): SetupReport => ({
  mode,
  since,
  why,
  name,
  hotspot,
  bluetooth,
  last,
});

/** What the store of a stopped box tells. */
export async function stoppedSetupReport({ read }: Pick<StoppedStore, 'read'>): Promise<SetupReport> {
  const setup = await read.networkSetup();
  const why = { new: 'never set up by a phone', done: `set up for ${setup?.ssid}`, reset: 'waits to be set up again' };
  return {
    mode: 'stopped',
    since: setup?.changedAt ?? null,
    why: why[setup?.state ?? 'new'],
    name: null,
    hotspot: null,
    bluetooth: null,
    last: setup?.last ?? null,
  };
}

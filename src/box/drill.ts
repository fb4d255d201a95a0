import { readFileSync } from 'node:fs';
import type { Drills, Statements } from '../admin/index.ts';
import { CardDrill, diskBelow, LineDrill, ResultsAbove, TerminalDrill } from '../operations/index.ts';
import type { DeviceId } from '../platform/device-id.ts';
import type { DrillResult } from '../platform/drill.ts';
import type { Gateways } from './gateways.ts';
import type { Storage } from './storage.ts';

/** The drills of a running box (docs/drill.md). One that a power cut has interrupted goes on. */
export async function openDrills(
  { config, store, signs, actions, clock, random, log, opened }: Storage,
  { upstream, devices }: Pick<Gateways, 'upstream' | 'devices'>,
  statements: Statements,
): Promise<Drills> {
  const { sendOwnLog } = upstream;
  const above =
    sendOwnLog &&
    opened.use(
      new ResultsAbove({
        ...{ read: store.read, write: store.write, clock, send: sendOwnLog },
        log: log.child({ part: 'drill' }),
        results: () => store.read.drillResults(),
      }),
    );
  const keep = async (result: DrillResult) => {
    await store.write.putDrillResult(result);
    above?.look();
  };
  const card = opened.use(
    await CardDrill.open({
      ...{ dataDir: config.data_dir, clock, random },
      log: log.child({ part: 'drill' }),
      bootId: () => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim(),
      disk: () => diskBelow(config.data_dir),
      wear: () => ({ bytesPerDay: store.wear().bytesPerDay, enduranceTb: config.storage.endurance_tb }),
      keep,
      isKept: async id => (await store.read.drillResults()).some(one => one.id === id),
      showPull: on => signs.pullThePlug(on),
    }),
  );
  const line = opened.use(
    await LineDrill.open({
      ...{ dataDir: config.data_dir, clock, upstream },
      log: log.child({ part: 'drill' }),
      figures: async () =>
        ((await statements.today?.())?.devices ?? []).map(({ device, said, refused, box, cloud }) => ({
          ...{ deviceId: device, said: said - refused, stored: box, confirmed: cloud ?? 0 },
        })),
      keep,
    }),
  );
  const { directory, journal, read } = store;
  const terminals = opened.use(
    await TerminalDrill.open({
      ...{ dataDir: config.data_dir, clock, actions, journal, read },
      log: log.child({ part: 'drill' }),
      terminals: () =>
        [...directory.devices()].filter(
          ({ deviceId, blocked, belongsTo }) =>
            !blocked && (belongsTo === null || belongsTo === 'here') && directory.boxBelow(deviceId) === undefined,
        ),
      stateOf: device => devices.stateOf(device),
      upstream: {
        standsAlone: upstream.standsAlone,
        whyNot: deviceNo => upstream.deviceUplink(deviceNo)?.why ?? '',
        watchSends: watch => upstream.watchSends(watch),
      },
      keep,
    }),
  );
  return {
    ...{ card, line, terminals, standsAlone: upstream.standsAlone },
    nameOf: deviceId => store.directory.device(deviceId as DeviceId)?.name ?? '',
    results: () => store.read.drillResults(),
    sentUp: () => above?.sent ?? null,
    busy: async () =>
      (await signs.read()).state === 'updating' ? 'the box is being updated: begin when that is done' : null,
  };
}

import { boardTemperature, keepHistory } from '../operations/index.ts';
import type { DeviceNo } from '../store/index.ts';
import type { Gateways } from './gateways.ts';
import type { Storage } from './storage.ts';

/** Keeps how the box fares (`operations/history.ts`). */
export const openHistory = ({ store, clock, log }: Storage, { devices, upstream }: Gateways): AsyncDisposable =>
  keepHistory({
    store,
    clock,
    log: log.child({ part: 'history' }),
    async uplink() {
      if (upstream.standsAlone) return null;
      const { uplink, outbox } = await upstream.status();
      const isUp = uplink.state === 'standby' ? store.forwarding.isUpElsewhere : uplink.state === 'up';
      return { isUp, waiting: outbox.waiting };
    },
    *onlineDevices(): Iterable<DeviceNo> {
      for (const { deviceNo } of store.directory.devices()) if (devices.isOnline(deviceNo)) yield deviceNo;
    },
    temperature: () => boardTemperature(),
  });

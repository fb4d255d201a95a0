import type { DayPictureReport } from '../../../../src/admin/ui/day-picture.ts';
import { query } from '../../api.ts';
import { count } from '../../parts/numbers.ts';
import { words } from '../../words/index.ts';
import { say } from './words.ts';

/** As many as the box sends. */
const drawnMax = 200;

type Device = DayPictureReport['devices'][number];

/** How much of its hours a device was online; null: nothing is kept of them. */
export function shareOf({ hours }: Pick<Device, 'hours'>): number | null {
  const known = hours.filter(hour => hour !== null);
  return known.length === 0 ? null : known.reduce((sum, hour) => sum + hour, 0) / known.length;
}

/**
 * Every device as a small mark: how high it is filled says how much of the day it was online, its
 * form what it is now.
 */
export function DeviceStrip({ picture, box }: { picture: DayPictureReport; box: string | undefined }) {
  const said = say.value;
  const { devices, devices_left_out: leftOut } = picture;
  if (devices.length === 0) return null;
  const isToday = devices.some(({ state }) => state !== null);
  const online = devices.filter(({ state }) => state === 'online').length + (isToday ? leftOut : 0);
  const title = isToday
    ? said.strip(count(online), count(devices.length + leftOut))
    : said.stripThen(count(devices.length + leftOut));
  return (
    <section class="device-strip" aria-label={title}>
      <p>
        <a class="all" href={`/devices${query({ box })}`}>
          {title}
        </a>
      </p>
      <ul>
        {devices.map(device => (
          <li key={device.device_id}>
            <Mark device={device} />
          </li>
        ))}
      </ul>
      {leftOut > 0 && <p class="quiet">{said.leftOut(count(leftOut))}</p>}
    </section>
  );
}

/** As high as the strip that comes. */
export const StripRoom = ({ known }: { known: number }) =>
  known === 0 ? null : (
    <div class="device-strip" aria-hidden="true">
      <p>&nbsp;</p>
      <ul>
        {Array.from({ length: Math.min(known, drawnMax) }, (_, index) => (
          <li key={index} class="room" />
        ))}
      </ul>
    </div>
  );

function Mark({ device }: { device: Device }) {
  const said = say.value;
  const share = shareOf(device);
  const text = said.inTitle(
    device.name || device.device_id,
    device.state === null ? '' : words.value.state[device.state],
    share === null ? said.unknownShare : said.share(String(Math.round(share * 100))),
  );
  return (
    <a href={`/devices/${device.device_id}`} class={device.state ?? 'then'} aria-label={text} title={text}>
      <i style={{ height: `${Math.round((share ?? (device.state === 'online' ? 1 : 0)) * 100)}%` }} />
    </a>
  );
}

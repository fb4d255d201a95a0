import { useLoaded } from '../../loaded.ts';
import { useEvery } from '../../parts/every.ts';
import { say } from './words.ts';

const refreshMs = 5 * 60_000;

/**
 * The hours of today of the devices that the picture of the day draws; null: it leaves the device
 * out, or nothing is kept of it.
 */
export function useHoursToday(): (deviceId: string) => readonly (number | null)[] | null {
  const { loaded, reload } = useLoaded('/day');
  useEvery(refreshMs, reload);
  const hours = new Map(loaded.value.data?.devices.map(device => [device.device_id, device.hours]));
  return deviceId => hours.get(deviceId) ?? null;
}

const hoursOfDay = 24;

/**
 * A device's day in a row of a list: a bar for each hour, as high as its share online; a low one is
 * an hour away, a hair an hour to come.
 */
export function DaySpark({ hours }: { readonly hours: readonly (number | null)[] }) {
  const known = hours.filter(hour => hour !== null);
  if (known.length === 0) return null;
  const share = known.reduce((sum, hour) => sum + hour, 0) / known.length;
  const text = say.value.dayShare(String(Math.round(share * 100)));
  return (
    <svg class="spark" viewBox="0 0 120 22" role="img" aria-label={text}>
      <title>{text}</title>
      {Array.from({ length: hoursOfDay }, (_, hour) => {
        const online = hours[hour] ?? null;
        const height = online === null ? 1 : Math.max(3, online * 20);
        const kind = online === null ? 'room' : online > 0.95 ? 'have' : online > 0 ? 'half' : 'none';
        return <rect key={hour} class={kind} x={hour * 5} y={21 - height} width="4" height={height} rx="1" />;
      })}
    </svg>
  );
}

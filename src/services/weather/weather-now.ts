import { z } from 'zod';
import type { UnixMs } from '../../runtime/clock.ts';

/**
 * One value of the cloud, which may write a number as a number. The longest is `icon_url`. Missing
 * or null: empty.
 */
const value = z
  .union([z.string().max(2048), z.number().transform(String), z.null().transform(() => '')])
  .optional()
  .transform(text => text ?? '');

/**
 * SPEC 2.10, all strings, empty where the cloud does not say. The names are those of QWeather's
 * `now`, and so are the units: temp and dew °C, wind360 degrees, humidity and cloud %, precip mm in
 * the last hour, pressure hPa, vis km.
 */
const weatherNowSchema = z
  .object({
    temp: value,
    icon_url: value,
    text: value,
    wind360: value,
    humidity: value,
    precip: value,
    pressure: value,
    vis: value,
    cloud: value,
    dew: value,
  })
  .refine(now => Object.values(now).some(text => text !== ''), 'not one value of the weather');

const keptSchema = z.object({ now: weatherNowSchema, observedAt: z.number().int() });

export type WeatherNow = z.infer<typeof weatherNowSchema>;

/** Weather of a place, as cached. */
export interface KeptWeather {
  readonly now: WeatherNow;
  /** When the cloud answered. */
  readonly observedAt: UnixMs;
}

/** Reads the `data` of the cloud's answer; throws an Error that says what is wrong with it. */
export function readWeatherNow(data: unknown): WeatherNow {
  const read = weatherNowSchema.safeParse(data);
  if (read.success) return read.data;
  const { path, message } = read.error.issues[0]!;
  throw new Error(`the answer is no weather: ${[...path, message].join(': ')}`);
}

/** Null for what a cache does not have, and for what is no weather any more. */
export function readKeptWeather(kept: unknown): KeptWeather | null {
  return keptSchema.safeParse(kept).data ?? null;
}

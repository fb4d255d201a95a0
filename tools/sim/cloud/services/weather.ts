import type { UnixMs } from '../../../../src/runtime/clock.ts';
import { unknown } from './refused.ts';

const texts = ['晴', '多云', '阴', '小雨', '阵雨', '雾'];
/** One place under its adcode and its names: a box asks by adcode. */
const adcodes: Readonly<Record<string, string>> = {
  beijing: '110000',
  北京: '110000',
  shanghai: '310000',
  上海: '310000',
};
const hourMs = 3_600_000;

/**
 * SPEC 2.10, 4.7: weather computed from the place and the hour, so that it changes every hour.
 * `location` takes precedence.
 */
export function weatherOf(location: string | null, city: string | null, now: UnixMs): Record<string, string> {
  const place = location || city || 'here';
  if (/^nowhere$/i.test(place)) throw unknown(`${place}: no such place`);
  let seed = Math.floor(now / hourMs);
  for (const letter of adcodes[place.toLowerCase()] ?? place)
    seed = (Math.imul(seed, 31) + letter.codePointAt(0)!) >>> 0;
  const value = (least: number, most: number, step: number) => String(least + ((seed >>> step) % (most - least + 1)));
  return {
    temp: value(-5, 35, 1),
    icon_url: `https://icons.example/${100 + ((seed >>> 2) % 6)}.png`,
    text: texts[(seed >>> 2) % texts.length]!,
    wind360: value(0, 359, 3),
    humidity: value(20, 95, 4),
    precip: `${value(0, 9, 5)}.0`,
    pressure: value(990, 1035, 6),
    vis: value(1, 30, 7),
    cloud: value(0, 100, 8),
    dew: value(-10, 25, 9),
  };
}

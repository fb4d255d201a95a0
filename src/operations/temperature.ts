import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const zonesAt = '/sys/class/thermal';
/** Plausible range: a reading outside comes from a broken sensor. */
const plausible = { min: -400, max: 1500 } as const;

/**
 * The hottest sensor of the board, in tenths of a degree Celsius; null: it has none, or Linux does
 * not know it.
 */
export async function boardTemperature(folder = zonesAt): Promise<number | null> {
  const zones = (await readdir(folder).catch(() => [])).filter(name => name.startsWith('thermal_zone'));
  const read = await Promise.all(zones.map(zone => readFile(join(folder, zone, 'temp'), 'latin1').catch(() => '')));
  const tenths = read
    .filter(text => /^-?\d+\s*$/.test(text))
    .map(text => Math.round(Number(text) / 100))
    .filter(value => value > plausible.min && value < plausible.max);
  return tenths.length === 0 ? null : Math.max(...tenths);
}

import { z } from '@hono/zod-openapi';
import {
  type ClockEpoch,
  clockStates,
  clockWords,
  isClockWrong,
  lateSeconds,
  offsetAt,
  type TimedRecord,
} from '../platform/device-clock.ts';
import type { UnixMs } from '../runtime/clock.ts';
import type { DeviceReads, DirectoryStore, ReadPart } from '../store/index.ts';
import { described } from '../words/described.ts';

/** State of a device's clock, and whether a record came late (platform/device-clock.ts). */
export const clockShape = z.object({
  state: z
    .enum(clockStates)
    .describe(
      described(
        'right, slow, fast: proved by an answer of the device; about: likely; at least fast: proved',
        'right、slow、fast：由设备的应答证明；about：很可能；at least fast：已证明',
      ),
    ),
  offset_s: z
    .number()
    .nullable()
    .describe(
      described(
        'Seconds ahead of the box, negative when behind; null: not known',
        '比网关快的秒数，慢则为负；null：不明',
      ),
    ),
  within_s: z
    .number()
    .nullable()
    .describe(
      described('Seconds by which the offset may be wrong; null: no bound', '偏差可能的误差，秒；null：没有界限'),
    ),
  wrong: z.boolean().describe(described('Off by more than a minute', '偏差超过一分钟')),
});

export const lateShape = z
  .number()
  .nullable()
  .describe(described('Seconds by which it certainly came late; null: it did not', '至少迟到的秒数；null：没有迟到'));

export type ClockReport = z.output<typeof clockShape>;

const reportOf = (words: ReturnType<typeof clockWords>): ClockReport => ({
  state: words.state,
  offset_s: words.offset,
  within_s: words.within,
  wrong: isClockWrong(words),
});

/** Of a device, as it was when the device was last heard. */
export const clockReport = (
  seen: { readonly at: UnixMs; readonly clock: ClockEpoch | null } | null | undefined,
): ClockReport => reportOf(clockWords(seen?.clock ? offsetAt(seen.clock, seen.at) : null));

/** Of the device that made a record, as it was known when the record came in. */
export const recordClock = (record: TimedRecord): { clock: ClockReport; late_s: number | null } => ({
  clock: reportOf(clockWords(record.clock)),
  late_s: lateSeconds(record),
});

/** Devices whose clock is known to be wrong, with their ids. */
export async function wrongClockNames(
  store: ReadPart<Pick<DeviceReads, 'lastSeen'>> & DirectoryStore,
): Promise<string[]> {
  const seen = await store.read.lastSeen();
  return [...store.directory.devices()]
    .filter(({ deviceNo }) => clockReport(seen.get(deviceNo)).wrong)
    .map(({ deviceId, name }) => (name === '' ? deviceId : `${name} (${deviceId})`));
}

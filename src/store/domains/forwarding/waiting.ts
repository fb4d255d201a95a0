import type { UnixMs } from '../../../runtime/clock.ts';
import { unpack } from '../../journal/segment.ts';
import type { SegmentHead, SegmentReader } from '../../journal/segment-reader.ts';
import { eachDevice } from '../../journal/segment-row.ts';
import type { DeviceNo, JournalRecord, Seq } from '../../port/journal.ts';
import { Slices } from '../../readers/slices.ts';
import type { KnownDevices } from '../../readers/stored-devices.ts';

/**
 * Counts what waits for the cloud by the heads of segments; only segments that contain a cursor are
 * opened. A long backlog is counted in slices, between which a cursor may move.
 */
export function waitingReads(journal: SegmentReader, devices: KnownDevices) {
  return {
    /**
     * Waiting for the cloud, by device: all journal records after its cursor that are to be
     * forwarded.
     */
    async waiting(through?: Seq): Promise<{ total: number; oldestAt: UnixMs | null; byDevice: Map<DeviceNo, number> }> {
      const end = through ?? Number.MAX_SAFE_INTEGER;
      const byDevice = new Map<DeviceNo, number>();
      let total = 0;
      let oldestAt: number | null = null;
      for await (const head of headsAfter(lowestCursor(devices), journal)) {
        if (lastOf(head) > end) break;
        const count = waitingIn(head, journal, devices, (deviceNo, waiting) => {
          byDevice.set(deviceNo, (byDevice.get(deviceNo) ?? 0) + waiting);
        });
        total += count;
        if (count > 0 && oldestAt === null) oldestAt = oldestIn(head.first_seq, journal, devices);
      }
      return { total, oldestAt, byDevice };
    },

    /**
     * When the oldest record after `after` that waits for the cloud was received; null if none
     * waits.
     */
    async oldestWaiting(after: Seq): Promise<UnixMs | null> {
      for await (const head of headsAfter(after, journal)) {
        if (waitingIn(head, journal, devices, () => {}) === 0) continue;
        const oldest = oldestIn(head.first_seq, journal, devices);
        if (oldest !== null) return oldest;
      }
      return null;
    },
  };
}

const lastOf = (head: SegmentHead): number => head.first_seq + head.count - 1;

async function* headsAfter(start: number, journal: SegmentReader): AsyncGenerator<SegmentHead> {
  const slices = new Slices();
  let after = start;
  for (let heads = journal.heads(after); heads.length > 0; heads = journal.heads(after)) {
    for (const head of heads) {
      yield head;
      if (slices.isOver) await slices.next();
    }
    after = lastOf(heads.at(-1)!);
  }
}

function lowestCursor(devices: KnownDevices): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const device of devices.devices()) lowest = Math.min(lowest, device.forwardedSeq);
  return Number.isFinite(lowest) ? lowest : 0;
}

/** By the head alone, if no cursor is within the segment. */
function waitingIn(
  head: SegmentHead,
  journal: SegmentReader,
  devices: KnownDevices,
  take: (deviceNo: DeviceNo, count: number) => void,
): number {
  const last = lastOf(head);
  const straddling = new Set<string>();
  let total = 0;
  eachDevice(head.devices, head.channels, (deviceNo, count, channel) => {
    const { forwarded } = devices.deviceByNo(deviceNo) ?? {};
    if (!forwarded || count === 0) return;
    const [one, other] = channel ? [forwarded[channel], forwarded[channel]] : [forwarded.device, forwarded.log];
    if (Math.min(one, other) >= last) return;
    if (Math.max(one, other) >= head.first_seq) straddling.add(channel ? `${deviceNo} ${channel}` : `${deviceNo}`);
    else {
      take(deviceNo, count);
      total += count;
    }
  });
  if (straddling.size === 0) return total;
  const packed = journal.open(head.first_seq);
  if (packed)
    unpack(packed, head.first_seq, record => {
      const { deviceNo, channel } = record;
      if (!straddling.has(`${deviceNo} ${channel}`) && !straddling.has(`${deviceNo}`)) return;
      if (!isWaiting(record, devices)) return;
      take(deviceNo, 1);
      total++;
    });
  return total;
}

const isWaiting = (record: JournalRecord, devices: KnownDevices): boolean =>
  !record.marks.local &&
  record.seq > (devices.deviceByNo(record.deviceNo)?.forwarded[record.channel] ?? Number.POSITIVE_INFINITY);

function oldestIn(firstSeq: number, journal: SegmentReader, devices: KnownDevices): number | null {
  const packed = journal.open(firstSeq);
  let oldest: number | null = null;
  if (packed)
    unpack(packed, firstSeq, record => {
      if (oldest === null && isWaiting(record, devices)) oldest = record.receivedAt;
    });
  return oldest;
}

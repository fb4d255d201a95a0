import type { LogBlockReader } from '../log-blocks/block-reader.ts';
import { type LogSearch, matchesIn, pathTest } from '../log-blocks/search.ts';
import type { DeviceReads } from '../port/devices.ts';
import type { DeviceNo, JournalRecord, LogRow, Seq } from '../port/journal.ts';
import type { StoreReader } from '../port/store.ts';
import type { SupportReads } from '../port/support.ts';
import { Slices } from './slices.ts';
import type { KnownDevices } from './stored-devices.ts';

/** For one page of `logTail`: time ends none that has looked at fewer than the least. */
const lookedAtMax = 20_000;
const lookedAtLeast = 1_000;
const pageMs = 250;

/** Logs of devices. All work in slices: a rare word in millions of logs takes seconds. */
export function logReads(
  blocks: LogBlockReader,
  devices: KnownDevices,
): Pick<StoreReader, 'logs'> & Pick<DeviceReads, 'lastLogs'> & Pick<SupportReads, 'logTail'> {
  const deviceIdOf = (no: DeviceNo): string => devices.deviceByNo(no)?.deviceId ?? `#${no}`;

  /**
   * A log in the form of CONTRACT 7 (`export`, `GET /admin/v1/logs`): the names are those of the
   * export, so that a row goes into a file or an answer unchanged.
   */
  const rowOf = ({ path, ...row }: Omit<LogRow, 'device_id' | 'model' | 'sn'> & { readonly path: string }): LogRow => {
    const slash = path.indexOf('/');
    return { ...row, device_id: deviceIdOf(row.deviceNo), model: path.slice(0, slash), sn: path.slice(slash + 1) };
  };
  const ofBlock = ({ seq, deviceNo, receivedAt, logPath: path, marks, payload }: JournalRecord): LogRow =>
    rowOf({
      ...{ seq, deviceNo, received_at: receivedAt, path, text: textOf(payload) },
      ...{ truncated: marks.truncated === true, repaired: marks.repaired === true, clamped: marks.clamped === true },
    });

  /** From the newest back, until `isEnough`: asked with how many logs it has looked at. */
  async function back(
    search: LogSearch,
    limit: number,
    isEnough: (looked: number) => boolean = () => false,
  ): Promise<{ found: LogRow[]; before: number | null }> {
    const slices = new Slices();
    const found: LogRow[] = [];
    let looked = 0;
    const hasPath = pathTest(search);
    for (const head of blocks.heads(search, 'DESC')) {
      if (typeof head === 'number') {
        if (isEnough(looked)) return { found, before: head };
      } else {
        const block = blocks.open(head);
        for (const log of block ? matchesIn(block, search, hasPath).reverse() : [])
          if (found.push(ofBlock(log)) === limit) return { found, before: log.seq };
        looked += head.count;
        if (isEnough(looked)) return { found, before: head.first_seq };
      }
      if (slices.isOver) await slices.next();
    }
    return { found, before: null };
  }

  return {
    async logs({ limit, signal, after = 0, ...asked }) {
      const slices = new Slices(signal);
      const found: LogRow[] = [];
      const search = { ...asked, before: Number.MAX_SAFE_INTEGER };
      const hasPath = pathTest(search);
      for (const head of blocks.heads({ ...search, after }, 'ASC')) {
        const block = typeof head === 'number' ? null : blocks.open(head);
        for (const log of block ? matchesIn(block, { ...search, after }, hasPath) : [])
          if (found.push(ofBlock(log)) >= limit) return found;
        if (slices.isOver) await slices.next();
      }
      return found;
    },

    async lastLogs(deviceNo, { limit, after = -1 }) {
      const { found } = await back({ after, before: Number.MAX_SAFE_INTEGER, deviceNo }, limit);
      return found;
    },

    async logTail({ before = Number.MAX_SAFE_INTEGER, after = 0, limit, ...asked }) {
      const newest = blocks.newestSeq() as Seq;
      if (asked.deviceNos?.size === 0) return { rows: [], before: null, newest };
      const endsAt = performance.now() + pageMs;
      // Logs of one device stand among those of others, which are no measure.
      const most = asked.deviceNo === undefined ? lookedAtMax : Number.POSITIVE_INFINITY;
      const tail = await back(
        { ...asked, after, before },
        limit,
        looked => looked >= most || (looked >= lookedAtLeast && performance.now() > endsAt),
      );
      return { rows: tail.found, before: tail.before as Seq | null, newest };
    },
  };
}

const textOf = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('utf8');

import { and, asc, count, desc, eq, gt, lt, max } from 'drizzle-orm';
import type { UnixMs } from '../../../runtime/clock.ts';
import type { Reading } from '../../domain.ts';
import { eachLog } from '../../log-blocks/block.ts';
import type { DeviceNo } from '../../port/journal.ts';
import { Slices } from '../../readers/slices.ts';
import { type Params, query } from '../../schema/query.ts';
import { confirmation, type ParkedRecord, parked } from './tables.ts';

/** Rows of one slice. */
const pageRows = 2000;
/** More than any cloud accepts from a device in a day. */
const confirmedLogsMax = 100_000;
const logBit = 2;
const defaultLimit = 1000;
/** Refused records that are counted by one statement: a cloud may have refused millions. */
const countedTogether = 10_000;

/** Reads about what the cloud has confirmed, and what it has refused for good. */
export function parkedReads({ connection: { orm }, logBlocks: blocks, devices }: Reading) {
  const parkedAfter = query((value: Params<{ after: number; limit: number }>) =>
    orm.select().from(parked).where(gt(parked.seq, value.after)).orderBy(asc(parked.seq)).limit(value.limit),
  );
  const parkedPart = query((value: Params<{ after: number }>) => {
    const part = orm
      .select({ seq: parked.seq })
      .from(parked)
      .where(gt(parked.seq, value.after))
      .orderBy(asc(parked.seq))
      .limit(countedTogether)
      .as('part');
    return orm.select({ found: count(), last: max(part.seq) }).from(part);
  });
  const confirmationsBelow = query((value: Params<{ deviceNo: number; seq: number }>) =>
    orm
      .select({ seq: confirmation.upToSeq, at: confirmation.confirmedAt, channels: confirmation.channels })
      .from(confirmation)
      .where(and(eq(confirmation.deviceNo, value.deviceNo), lt(confirmation.upToSeq, value.seq)))
      .orderBy(desc(confirmation.upToSeq))
      .limit(pageRows),
  );

  /** The first confirmation of logs since a moment; null: there are none. */
  const confirmedFrom = async (deviceNo: DeviceNo, since: number): Promise<number | null> => {
    const slices = new Slices();
    let isAny = false;
    for (let below = Number.MAX_SAFE_INTEGER; ; ) {
      const page = confirmationsBelow.all({ deviceNo, seq: below });
      for (const { seq, at, channels } of page) {
        if ((channels & logBit) === 0) continue;
        if (at < since) return seq;
        isAny = true;
      }
      if (page.length < pageRows) return isAny ? 0 : null;
      below = page.at(-1)!.seq;
      if (slices.isOver) await slices.next();
    }
  };

  /** Logs of a device; a block that is counted whole is not opened. */
  const inBlocks = async (deviceNo: DeviceNo, after: number, through: number): Promise<number> => {
    const slices = new Slices();
    let found = 0;
    for (const head of blocks.heads({ after, before: through + 1, deviceNo }, 'ASC')) {
      if (typeof head !== 'number') {
        const isWhole = head.first_seq > after && head.last_seq <= through;
        const block = isWhole ? null : blocks.open(head);
        if (isWhole) found += blocks.countOf(head, deviceNo);
        else if (block)
          eachLog(
            block,
            () => found++,
            (seq, of) => of === deviceNo && seq > after && seq <= through,
          );
      }
      if (found >= confirmedLogsMax) return confirmedLogsMax;
      if (slices.isOver) await slices.next();
    }
    return found;
  };

  return {
    /**
     * Logs of a device that the cloud confirmed at or after a moment; at most 100,000 are counted.
     */
    async confirmedLogs(deviceNo: DeviceNo, since: UnixMs): Promise<number> {
      const after = await confirmedFrom(deviceNo, since);
      if (after === null) return 0;
      const through = devices.deviceByNo(deviceNo)?.forwarded.log ?? 0;
      return await inBlocks(deviceNo, after, through);
    },

    async parkedCount(): Promise<number> {
      const slices = new Slices();
      let counted = 0;
      for (let after = -1; ; ) {
        const { found, last } = parkedPart.get({ after })!;
        counted += found;
        if (last === null || found < countedTogether) return counted;
        after = last;
        if (slices.isOver) await slices.next();
      }
    },

    /** May have to look through all of them, in slices. */
    async parked({
      deviceNo,
      sendAgain,
      limit = defaultLimit,
    }: {
      deviceNo?: DeviceNo;
      sendAgain?: boolean;
      limit?: number;
    } = {}): Promise<ParkedRecord[]> {
      const found: ParkedRecord[] = [];
      const slices = new Slices();
      for (let after = -1; ; ) {
        const page = parkedAfter.all({ after, limit: pageRows });
        for (const record of page) {
          if (deviceNo !== undefined && record.deviceNo !== deviceNo) continue;
          if (sendAgain !== undefined && record.sendAgain !== sendAgain) continue;
          if (found.push(record) === limit) return found;
        }
        if (page.length < pageRows) return found;
        after = page.at(-1)!.seq;
        if (slices.isOver) await slices.next();
      }
    },

    /** In the order of the journal. */
    async parkedPage({ after, limit }: { after: number; limit: number }): Promise<ParkedRecord[]> {
      return parkedAfter.all({ after, limit });
    },
  };
}

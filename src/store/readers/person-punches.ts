import { and, asc, eq, sql as expression, gte, lt } from 'drizzle-orm';
import { placeNamed } from '../../platform/check-data.ts';
import { punchMarks, sourceOf } from '../domains/corrections/reads.ts';
import { confirmation, parked } from '../domains/forwarding/tables.ts';
import { cloudDeviceNo } from '../domains/mirror/tables.ts';
import type { PeopleReads } from '../port/people.ts';
import type { PunchRow } from '../port/punches.ts';
import type { Connection } from '../schema/database.ts';
import { checkin } from '../schema/index.ts';
import { type Params, query } from '../schema/query.ts';
import { after } from './columns.ts';
import { withClock } from './device-clock.ts';
import type { KnownDevices } from './stored-devices.ts';

interface Values {
  readonly extId: string;
  readonly from: number;
  readonly to: number;
  readonly afterAt: number;
  readonly afterId: number;
  readonly limit: number;
}

/** The check-ins of one person. */
export function punchReads(connection: Connection, devices: KnownDevices) {
  const { orm } = connection;
  const marks = punchMarks(connection);
  const punches = query((value: Params<Values>) =>
    orm
      .select({
        id: checkin.id,
        shownId: expression<number>`coalesce(${checkin.shownId}, ${checkin.id})`,
        recordId: checkin.recordId,
        seq: checkin.seq,
        at: checkin.checkTimeSeconds,
        deviceNo: checkin.deviceNo,
        terminalId: checkin.terminalId,
        checkData: checkin.checkData,
        checkType: checkin.checkType,
        receivedAt: checkin.receivedAt,
        clockLowMs: checkin.clockLowMs,
        clockHighMs: checkin.clockHighMs,
        parkedSeq: parked.seq,
      })
      .from(checkin)
      .leftJoin(parked, eq(parked.seq, checkin.seq))
      .where(
        and(
          expression`${checkin.employeeId} = (SELECT id FROM employee WHERE ext_id = ${value.extId})`,
          gte(checkin.checkTimeSeconds, value.from),
          lt(checkin.checkTimeSeconds, value.to),
          after([checkin.checkTimeSeconds, checkin.id], [value.afterAt, value.afterId]),
        ),
      )
      .orderBy(asc(checkin.checkTimeSeconds), asc(checkin.id))
      .limit(value.limit),
  );
  const confirmed = query((value: Params<{ deviceNo: number; seq: number }>) =>
    orm
      .select({ at: confirmation.confirmedAt })
      .from(confirmation)
      .where(
        and(
          eq(confirmation.deviceNo, value.deviceNo),
          gte(confirmation.upToSeq, value.seq),
          expression`${confirmation.channels} & 1 <> 0`,
        ),
      )
      .orderBy(asc(confirmation.upToSeq))
      .limit(1),
  );

  return {
    async punches({ extId, from, to, after: place, limit }) {
      const rows = punches.all({ extId, from, to, afterAt: place?.at ?? -1, afterId: place?.id ?? -1, limit });
      const found = marks(rows.map(({ shownId, deviceNo, recordId }) => ({ id: shownId, deviceNo, recordId })));
      return rows.map(({ parkedSeq, checkData, recordId: _recordId, ...row }): PunchRow => {
        const { deviceNo, seq } = row;
        const passed = seq <= (devices.deviceByNo(deviceNo)?.forwarded.device ?? 0);
        const state = parkedSeq !== null ? 'parked' : passed ? 'confirmed' : 'waiting';
        return {
          ...withClock(row),
          placeInCloud: deviceNo === cloudDeviceNo ? placeNamed(JSON.parse(checkData)) : '',
          state,
          confirmedAt: state === 'confirmed' ? (confirmed.get({ deviceNo, seq })?.at ?? null) : null,
          source: sourceOf(deviceNo),
          mark: found.get(row.shownId) ?? null,
        };
      });
    },
  } satisfies Partial<PeopleReads>;
}

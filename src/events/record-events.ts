import { parseDeviceId } from '../platform/device-id.ts';
import { type EventKind, eventTopics } from '../platform/event-topics.ts';
import type { AccessRow, CheckInRow, DirectoryStore, LogReads, LogRow, ReadPart, RecordReads } from '../store/index.ts';

/**
 * Events of check-ins, access records and logs, as programs of the site hear them
 * (docs/events.md). Each is a row of a table behind the journal, so a record that a device sent
 * twice is one event, and an event that was missed can be read again as it was.
 */
export interface RecordEvent {
  readonly kind: EventKind;
  /** Rises within a kind, in the order in which the box received the records. */
  readonly seq: number;
  readonly topic: string;
  /** The JSON of the event. */
  readonly payload: string;
}

export type EventStore = ReadPart<Pick<RecordReads, 'checkins' | 'accessRecords' | 'newestRecords'> & LogReads> &
  DirectoryStore;

export interface EventQuery {
  readonly kind: EventKind;
  /** Only events with a greater `seq`. */
  readonly after: number;
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/** An event without its place in the order. */
interface Said {
  readonly seq: number;
  readonly deviceId: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * The events of a kind in their order, each with the `seq` of the one before it (`previous`):
 * whoever has heard another one before has missed some.
 */
export async function readEvents(store: EventStore, query: EventQuery): Promise<RecordEvent[]> {
  let previous = query.after;
  return (await said(store, query)).map(({ seq, deviceId, fields }) => {
    const id = parseDeviceId(deviceId);
    const payload = JSON.stringify({
      seq,
      previous,
      device_id: deviceId,
      device_name: (id.ok && store.directory.device(id.value)?.name) || '',
      ...fields,
    });
    previous = seq;
    return { kind: query.kind, seq, topic: eventTopics.record(query.kind, deviceId), payload };
  });
}

async function said({ read }: EventStore, { kind, ...query }: EventQuery): Promise<Said[]> {
  switch (kind) {
    case 'checkins':
      return (await read.checkins(query)).map(checkInSaid);
    case 'access':
      return (await read.accessRecords({ ...query, photos: 'left out' })).map(accessSaid);
    case 'logs':
      return (await read.logs({ ...query, after: query.after as never })).map(logSaid);
  }
}

const checkInSaid = (row: CheckInRow): Said => ({
  seq: row.place,
  deviceId: row.deviceId,
  fields: {
    record: row.seq,
    received_at: row.receivedAt,
    ext_id: row.extId,
    employee_num: row.employeeNum,
    ...person(row.userId, row.checkData),
    check_type: row.checkType,
    check_time: row.checkTime,
  },
});

const accessSaid = (row: AccessRow): Said => ({
  seq: row.id,
  deviceId: row.deviceId,
  fields: {
    record: row.seq,
    received_at: row.receivedAt,
    door_id: row.doorId,
    ext_id: row.extId,
    ...person(row.userId, row.checkData),
    check_type: row.checkType,
    check_time: row.checkTime,
    check_result: row.checkResult,
  },
});

const logSaid = (row: LogRow): Said => ({
  seq: row.seq,
  deviceId: row.device_id,
  fields: { received_at: row.received_at, model: row.model, sn: row.sn, text: row.text, truncated: row.truncated },
});

/**
 * Of a person whom the organization knows; of somebody else the record holds what the device said,
 * which may be anything.
 */
const person = (userId: string, data: Readonly<Record<string, unknown>>) =>
  userId === ''
    ? { known: false, name: '', department: '' }
    : { known: true, name: String(data.member_name ?? ''), department: String(data.dept_name ?? '') };

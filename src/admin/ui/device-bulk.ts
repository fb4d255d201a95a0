import { z } from '@hono/zod-openapi';
import type { Devices } from '../../devices/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import {
  type BulkChange,
  type BulkChangeStore,
  bulkChangeKept,
  bulkGroupMax,
  type Device,
  type DeviceBulk,
  type DirectoryStore,
} from '../../store/index.ts';
import { auditSubjects } from '../../words/audit.ts';
import { described } from '../../words/described.ts';
import { deviceEnds } from '../../words/device-ends.ts';
import type { Reason } from '../../words/sentences.ts';
import { deviceOf } from '../known-device.ts';
import { byCommand, type Call, operation, type Running } from '../operation.ts';
import { refused } from '../problem.ts';
import { rowId } from '../shapes.ts';
import {
  bulkBodyBytesMax,
  bulkChanged,
  bulkIdsMax,
  bulkUndone,
  manyOf,
  Unchanged,
  type WhyNot,
} from './bulk-shapes.ts';
import { deviceFilter, matchingDevices, peopleDataOf } from './device-selection.ts';

const actions = ['approve', 'block', 'unblock'] as const;
type Action = (typeof actions)[number];

const matchingShape = z
  .strictObject({
    ...deviceFilter,
    except: z.array(z.string().max(80)).max(bulkIdsMax).default([]),
    as_of: z
      .number()
      .int()
      .describe(
        described(
          'That of the list that was looked at: devices that registered later are left out',
          '所看列表的时间：之后登记的设备不包括在内',
        ),
      ),
  })
  .describe(described('In place of `device_ids`', '代替 `device_ids`'));

export const deviceBulkOperations = {
  change: operation({
    method: 'post',
    path: '/devices/bulk',
    role: 'staff',
    audited: described('approved, blocked or let in many devices', '批量批准、停用或恢复设备'),
    summary: described(
      "Approves many devices for people's data (role staff), or blocks or lets in many (role admin): those named, or all that match a query but for some. It can be undone for a week.",
      '批量批准设备接收人员数据（考勤员），或停用、恢复设备（管理员）；一周内可以撤销',
    ),
    body: z.strictObject({
      action: z.enum(actions),
      device_ids: z.array(z.string().max(80)).min(1).max(bulkIdsMax).optional(),
      matching: matchingShape.optional(),
    }),
    bodyBytesMax: bulkBodyBytesMax,
    returns: described('How many changed, and which did not and why', '更改了多少，哪些没有更改及原因'),
    answer: bulkChanged,
  }),
  undo: operation({
    method: 'post',
    path: '/devices/bulk/{id}/undo',
    role: 'staff',
    audited: described('undid a change of many devices', '撤销设备的批量更改'),
    summary: described(
      'Undoes a change of many devices, but for devices that somebody changed since',
      '撤销对多台设备的更改，此后又被更改的设备除外',
    ),
    params: z.object({ id: rowId }),
    returns: described('How many are as before, and which are not and why', '恢复了多少，哪些没有恢复及原因'),
    answer: bulkUndone,
    failures: {
      404: described('There is none of this number, it was undone, or it is too old', '没有此编号，或已撤销，或已过期'),
    },
  }),
};

const changes: Readonly<Record<Action, DeviceBulk>> = {
  approve: { what: 'people_data', to: 'yes' },
  block: { what: 'blocked', to: true },
  unblock: { what: 'blocked', to: false },
};
const codes = { approve: 'may_receive', block: 'devices_blocked', unblock: 'let_in_again' } as const satisfies Record<
  Action,
  string
>;

interface Parts {
  readonly store: DirectoryStore & BulkChangeStore;
  readonly devices: Pick<Devices, 'kick' | 'stateOf'>;
  readonly clock: Clock;
}

/** Changes of many devices at once, in groups, so that what devices send is written in between. */
export function deviceBulk(parts: Parts): Running<typeof deviceBulkOperations> {
  const { store, devices, clock } = parts;

  /** Ends the sessions of devices that are blocked now. */
  const kickBlocked = (changed: readonly Device[]) => {
    for (const { deviceNo, blocked } of changed) if (blocked) devices.kick(deviceNo, deviceEnds.say('device_blocked'));
  };

  return {
    async change({ action, device_ids: named, matching }, call = byCommand) {
      if ((named === undefined) === (matching === undefined))
        throw refused(400, 'selection', 'name either `device_ids` or `matching`');
      if (action !== 'approve') needsRoleOf(changes[action].what, call, auditSubjects.say(`${codes[action]}_many`));
      const unchanged = new Unchanged();
      const chosen = named ? namedDevices(parts, named, unchanged) : matched(parts, matching!);
      const wanted = chosen.filter(device => {
        const why = whyNotOf(parts, action, device);
        if (why) unchanged.add(why, device.deviceId);
        return why === null;
      });
      call.subject(auditSubjects.say(codes[action], manyOf(idsOf(wanted))));
      let id: number | null = null;
      let changed = 0;
      for (let at = 0; at < wanted.length; at += bulkGroupMax) {
        const group = wanted.slice(at, at + bulkGroupMax);
        const done = await store.write.changeManyDevices({
          ...{ id, at: clock.now(), by: call.caller.actor, change: changes[action] },
          deviceNos: group.map(({ deviceNo }) => deviceNo),
        });
        if (id !== null && done.id === null) break;
        id = done.id;
        changed += done.changed.length;
        const now = new Set(done.changed.map(({ deviceNo }) => deviceNo));
        for (const { deviceNo, deviceId } of group) if (!now.has(deviceNo)) unchanged.add('already', deviceId);
        if (action === 'block') kickBlocked(done.changed);
      }
      return { id, changed, unchanged: unchanged.rows() };
    },

    async undo({ id }, call = byCommand) {
      const [found] = await store.read.bulkChanges({ id, since: clock.now() - bulkChangeKept.ms });
      if (!found || !isOfDevices(found))
        throw refused(404, 'unknown', 'there is no such change of devices that can be undone');
      needsRoleOf(found.what, call, auditSubjects.say('undo_of_many', { change: id }));
      const unchanged = new Unchanged();
      const all: Device[] = [];
      for (let more = true; more; ) {
        const done = await store.write.undoManyDevices({ id, limit: bulkGroupMax });
        for (const { subject, why } of done.left) unchanged.add(why, subject);
        all.push(...done.changed);
        kickBlocked(done.changed);
        more = done.more;
      }
      call.subject(auditSubjects.say('as_before', { change: id, ...manyOf(idsOf(all)) }));
      return { changed: all.length, unchanged: unchanged.rows() };
    },
  };
}

const idsOf = (devices: readonly Device[]): string[] => devices.map(({ deviceId }) => deviceId);

const isOfDevices = ({ what }: BulkChange): boolean => what === 'people_data' || what === 'blocked';

/** Whom to approve staff decide; whom to block an admin. The same holds for the undo. */
function needsRoleOf(what: BulkChange['what'], call: Call, subject: Reason): void {
  if (what !== 'blocked' || call.caller.role === 'admin') return;
  call.subject(subject);
  throw refused(403, 'Not allowed', 'this needs the role admin');
}

function namedDevices(parts: Parts, texts: readonly string[], unchanged: Unchanged): Device[] {
  const found = new Map<string, Device>();
  for (const text of texts) {
    const device = deviceOf(parts, text);
    if (device) found.set(device.deviceId, device);
    else unchanged.add('unknown', text);
  }
  return [...found.values()];
}

function matched(parts: Parts, { except, as_of: asOf, ...filter }: z.output<typeof matchingShape>): Device[] {
  const left = new Set(except.map(text => text.toUpperCase()));
  return matchingDevices(parts, filter)
    .filter(({ deviceId, firstSeenAt }) => !left.has(deviceId) && firstSeenAt <= asOf)
    .sort((one, other) => (one.deviceId < other.deviceId ? -1 : 1));
}

function whyNotOf(parts: Parts, action: Action, device: Device): WhyNot | null {
  if (action !== 'approve') return device.blocked === (action === 'block') ? 'already' : null;
  const state = peopleDataOf(parts, device);
  return state === 'none' ? 'no_people_data' : state === 'allowed' ? 'already' : null;
}

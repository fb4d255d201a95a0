import { createReadStream } from 'node:fs';
import { z } from '@hono/zod-openapi';
import type { BoxBackups } from '../../backups/index.ts';
import { type DeviceId, parseDeviceId } from '../../platform/device-id.ts';
import type { BoxBelow, Device, DeviceWrites, DirectoryStore, WritePart } from '../../store/index.ts';
import { auditSubjects } from '../../words/audit.ts';
import { described } from '../../words/described.ts';
import { boxOfDevices } from '../box-of-devices.ts';
import { knownDevice } from '../known-device.ts';
import { byCommand, fileOperation, operation, type Report, type Running } from '../operation.ts';
import { nameText } from '../people-shapes.ts';
import type { BoxAdmin } from '../port.ts';
import { refused } from '../problem.ts';
import { done } from '../shapes.ts';

const boxRow = z.object({
  box_id: z.string(),
  name: z.string(),
  online: z.boolean(),
  devices: z.number().describe(described('How many devices belong to it', '属于它的设备数')),
  backups: z
    .array(z.object({ name: z.string(), bytes: z.number(), received_at: z.number() }))
    .describe(
      described(
        'Its backups that are kept here, newest first; only its recovery key opens them',
        '保存在这里的其备份，最新的在前；只有它的恢复密钥才能打开',
      ),
    ),
});
/** A box below whose batches are taken here (CONTRACT 5). */
export type BoxBelowRow = Report<typeof boxRow>;

const params = z.object({ id: z.string().max(80) });
const backupParams = params.extend({ name: z.string().max(100) });

export const boxOperations = {
  list: operation({
    method: 'get',
    path: '/boxes',
    role: 'viewer',
    summary: described(
      'The boxes below whose batches are taken here, by name',
      '由本网关接收数据的下级网关，按名称排序',
    ),
    query: z.object({
      box: boxOfDevices.optional(),
      cursor: z.string().max(300).optional(),
      limit: z.coerce
        .number<number>()
        .int()
        .min(1)
        .max(500)
        .optional()
        .describe(described('Absent: all', '省略：全部')),
    }),
    returns: described('The boxes', '网关列表'),
    answer: z.object({
      rows: z.array(boxRow),
      total: z.number(),
      cursor: z
        .string()
        .nullable()
        .describe(
          described('Where the next page goes on; null: this was the last', '下一页的起点；null：这是最后一页'),
        ),
    }),
  }),
  names: operation({
    method: 'get',
    path: '/box-names',
    role: 'viewer',
    summary: described('The boxes below by name, to choose one', '下级网关的名称，供选择'),
    returns: described('The boxes', '网关列表'),
    answer: z.object({ rows: z.array(boxRow.pick({ box_id: true, name: true })) }),
  }),
  put: operation({
    method: 'put',
    path: '/boxes/{id}',
    role: 'admin',
    audited: described('added a box below to the list', '登记下级网关'),
    summary: described(
      'Approves a box below: its batches are taken from now on; or names it',
      '登记下级网关，此后接收其数据；或修改其名称',
    ),
    params,
    body: z.strictObject({ name: nameText.optional() }),
    returns: described('Done', '已完成'),
    answer: done,
    failures: { 422: described('The site refuses it', '站点不接受') },
  }),
  remove: operation({
    method: 'delete',
    path: '/boxes/{id}',
    role: 'admin',
    audited: described('removed a box below from the list', '取消登记下级网关'),
    summary: described(
      'Takes a box off the list: its batches are refused, its devices belong to the box that brings them next',
      '取消登记下级网关：拒绝其数据，其设备归下一个带来它们的网关',
    ),
    params,
    returns: described('Done', '已完成'),
    answer: done,
    failures: { 404: described('There is no such box', '没有此网关') },
  }),
  backup: fileOperation({
    method: 'get',
    path: '/boxes/{id}/backups/{name}',
    role: 'admin',
    audited: described('downloaded a backup of a box below', '下载下级网关的备份'),
    summary: described(
      'A backup of a box below, encrypted to its recovery key: to restore that box',
      '下级网关的一个备份，用它的恢复密钥加密，用于恢复该网关；需要管理员权限',
    ),
    params: backupParams,
    returns: described('The backup', '备份'),
    files: { 'application/octet-stream': z.string() },
    failures: { 404: described('There is no such backup', '没有此备份') },
  }),
  removeBackup: operation({
    method: 'delete',
    path: '/boxes/{id}/backups/{name}',
    role: 'admin',
    audited: described('deleted a backup of a box below', '删除下级网关的备份'),
    summary: described(
      'Deletes a backup of a box below, which cannot do it itself',
      '删除下级网关的一个备份（该网关自己不能删除）',
    ),
    params: backupParams,
    returns: described('Done', '已完成'),
    answer: done,
    failures: { 404: described('There is no such backup', '没有此备份') },
  }),
  moveDevice: operation({
    method: 'put',
    path: '/devices/{id}/box',
    role: 'admin',
    audited: described('moved a device to another box', '把设备移到其他网关'),
    summary: described(
      'Says whose a device is: of a box below, or of this box (null). Only their records of it are taken',
      '指定设备属于哪个下级网关，或属于本网关（null）；只接收来自所属网关的记录',
    ),
    params,
    body: z.strictObject({ box_id: z.string().max(80).nullable() }),
    returns: described('Done', '已完成'),
    answer: done,
    failures: {
      404: described('There is no such device, or the box is not listed here', '没有此设备，或网关未在此登记'),
    },
  }),
};

/** Boxes below, and which of them a device belongs to (CONTRACT 7). */
export function boxes(parts: {
  readonly admin: Pick<BoxAdmin, 'apply'>;
  readonly store: DirectoryStore & WritePart<DeviceWrites>;
  isOnline(device: Device): boolean;
  readonly boxBackups: Pick<BoxBackups, 'list' | 'find' | 'remove'>;
}): Running<typeof boxOperations> {
  const { admin, store, isOnline, boxBackups } = parts;
  const listed = (boxId: DeviceId) => store.directory.boxBelow(boxId) !== undefined;

  return {
    async list({ box, cursor, limit } = {}) {
      const belonging = Map.groupBy(store.directory.devices(), ({ belongsTo }) => belongsTo);
      const all = [...store.directory.boxesBelow()].filter(({ boxId }) => box === undefined || boxId === box);
      const { page, next } = pageOf(all, cursor, limit);
      const rows = page.map(async ({ boxId, name }) => {
        const device = store.directory.device(boxId);
        const online = device !== undefined && isOnline(device);
        const backups = (await boxBackups.list(boxId)).map(({ receivedAt, ...one }) => ({
          ...one,
          received_at: receivedAt,
        }));
        return { box_id: boxId, name, online, devices: belonging.get(boxId)?.length ?? 0, backups };
      });
      return { rows: await Promise.all(rows), total: all.length, cursor: next };
    },

    async names() {
      const rows = [...store.directory.boxesBelow()].sort(byName);
      return { rows: rows.map(({ boxId, name }) => ({ box_id: boxId, name })) };
    },

    async put({ id, name }, call = byCommand) {
      const parsed = parseDeviceId(id);
      if (!parsed.ok) throw refused(400, 'bad_box_id', 'that is no box id: {product_id}_{device_sn}');
      call.subject(parsed.value);
      const box = { box_id: parsed.value, ...(name === undefined ? {} : { name }) };
      const outcome = await admin.apply({ site: { boxes: [box] }, prune: false, dryRun: false });
      if (!outcome.ok) throw refused(422, 'refused', outcome.problems.map(({ reason }) => reason).join('; '));
      return { done: true };
    },

    async remove({ id }, call = byCommand) {
      const parsed = parseDeviceId(id);
      if (!parsed.ok || !listed(parsed.value)) throw refused(404, 'unknown', 'there is no such box');
      call.subject(parsed.value);
      await store.write.removeBoxBelow({ boxId: parsed.value });
      return { done: true };
    },

    async backup({ id, name }, call = byCommand) {
      const found = await boxBackups.find(boxOf(id), name);
      if (!found) throw noBackup();
      call.subject(name);
      return {
        type: 'application/octet-stream',
        body: createReadStream(found.file),
        headers: {
          'content-length': String(found.bytes),
          'content-disposition': `attachment; filename="${name}"`,
          'cache-control': 'no-store',
        },
      };
    },

    async removeBackup({ id, name }, call = byCommand) {
      call.subject(name);
      if (!(await boxBackups.remove(boxOf(id), name))) throw noBackup();
      return { done: true };
    },

    async moveDevice({ id, box_id }, call = byCommand) {
      const device = knownDevice(parts, id);
      const box = box_id === null ? null : parseDeviceId(box_id);
      if (box && (!box.ok || !listed(box.value)))
        throw refused(404, 'unknown_box', `${box_id} is not listed here: approve it first`);
      const to = box?.ok ? box.value : 'here';
      const moved = { device: device.deviceId };
      call.subject(
        to === 'here'
          ? auditSubjects.say('moved_here', moved)
          : auditSubjects.say('moved_to_box', { ...moved, box: to }),
      );
      await store.write.moveDevice({ deviceNo: device.deviceNo, to });
      return { done: true };
    },
  };
}

/** Hall 2 before Hall 10. */
const { compare } = new Intl.Collator('zh-CN', { numeric: true });
const byName = (one: BoxBelow, other: BoxBelow): number =>
  compare(one.name || one.boxId, other.name || other.boxId) || compare(one.boxId, other.boxId);

/** By name. The cursor names the last box, so that one that is gone moves no other. */
function pageOf(boxes: readonly BoxBelow[], cursor: string | undefined, limit: number | undefined) {
  const last = cursor === undefined ? null : boxNamed(cursor);
  const left = boxes.filter(one => last === null || byName(one, last) > 0).sort(byName);
  const page = left.slice(0, limit);
  const end = page.at(-1);
  return { page, next: end && left.length > page.length ? `${end.boxId} ${end.name}` : null };
}

function boxNamed(cursor: string): BoxBelow {
  const [boxId = '', ...name] = cursor.split(' ');
  return { boxId: boxId as DeviceId, name: name.join(' ') };
}

/** Of a box that is listed, or was: what it sent stays. */
function boxOf(id: string): DeviceId {
  const parsed = parseDeviceId(id);
  if (!parsed.ok) throw noBackup();
  return parsed.value;
}

const noBackup = () => refused(404, 'unknown', 'there is no such backup');

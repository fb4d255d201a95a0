import { z } from '@hono/zod-openapi';
import type { DeviceWrites, DirectoryStore, WritePart } from '../../store/index.ts';
import { auditSubjects } from '../../words/audit.ts';
import { described } from '../../words/described.ts';
import { deviceOf } from '../known-device.ts';
import { byCommand, operation, type Running } from '../operation.ts';
import { refused } from '../problem.ts';
import { manyOf } from './bulk-shapes.ts';

const devicesMax = 500;

export const peopleDataOperations = {
  set: operation({
    method: 'post',
    path: '/devices/people-data',
    role: 'staff',
    audited: described("changed which devices receive people's data", '更改接收人员数据的设备'),
    summary: described(
      "Approves devices to receive people's data, or ends that: what waits for them is then taken out of their inbox. For the role staff.",
      '批准设备接收人员数据，或停止下发并删除其待领取的数据；需要考勤员权限',
    ),
    body: z.strictObject({
      device_ids: z.array(z.string().max(80)).min(1).max(devicesMax),
      allowed: z.boolean(),
    }),
    returns: described('How many changed', '更改的数量'),
    answer: z.object({ changed: z.number() }),
    failures: { 404: described('There is no such device', '没有此设备') },
  }),
};

/** Devices that receive people's data (store/people/people-data.ts). */
export const peopleDataOf = (parts: {
  readonly store: DirectoryStore & WritePart<DeviceWrites>;
}): Running<typeof peopleDataOperations> => ({
  async set({ device_ids, allowed }, call = byCommand) {
    const found = device_ids.map(text => {
      const device = deviceOf(parts, text);
      if (!device) throw refused(404, 'unknown', `there is no device ${text}`);
      return device;
    });
    call.subject(
      auditSubjects.say(allowed ? 'may_receive' : 'receives_none', manyOf(found.map(({ deviceId }) => deviceId))),
    );
    const changed = await parts.store.write.setPeopleData({
      deviceNos: found.map(({ deviceNo }) => deviceNo),
      word: allowed ? 'yes' : 'no',
    });
    return { changed: changed.length };
  },
});

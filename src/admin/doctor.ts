import { z } from '@hono/zod-openapi';
import type { Check, DoctorRun } from '../platform/checks.ts';
import { described } from '../words/described.ts';
import { linesOf } from './lines.ts';
import { byCommand, linesOperation, type Running, resource } from './operation.ts';

const line = z.union([z.object({ check: z.custom<Check>() }), z.object({ done: z.boolean() })]);

const doctorOperations = {
  run: linesOperation({
    method: 'post',
    path: '/doctor',
    role: 'admin',
    audited: described('tested the network', '网络检测'),
    summary: described(
      'Checks the way to the cloud and the clock; `all`: certificate, disk and radios too',
      '检查到云平台的连接和时钟；`all` 表示同时检查证书、磁盘和无线',
    ),
    body: z.object({ what: z.enum(['network', 'all']) }),
    returns: described(
      'One JSON object a line: {"check": …} as each is done, and last {"done": true}, or {"done": false} where another run is not done yet',
      '每行一个 JSON 对象：每完成一项为 {"check": …}，最后为 {"done": true}；另一次检查尚未完成时为 {"done": false}',
    ),
    line,
    eachAtOnce: true,
  }),
};
/** A caller that goes away ends the run. */
type DoctorAdmin = Running<typeof doctorOperations>;

interface Doctor {
  /** Tells each check as it is done. False: another run is not done yet. */
  run(what: DoctorRun, onCheck: (check: Check) => Promise<void> | void, signal?: AbortSignal): Promise<boolean>;
}

const doctorAdmin = (doctor: Doctor): DoctorAdmin => ({
  run: ({ what }, call = byCommand) =>
    linesOf(async write => {
      const done = await doctor.run(what, check => write({ check }), call.signal);
      write({ done });
    }),
});

export const doctorResource = resource(doctorOperations, ({ doctor }: { readonly doctor: Doctor }) =>
  doctorAdmin(doctor),
);

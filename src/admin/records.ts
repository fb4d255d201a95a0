import { z } from '@hono/zod-openapi';
import { auditSubjects } from '../words/audit.ts';
import { described } from '../words/described.ts';
import { boxOfDevices } from './box-of-devices.ts';
import { byCommand, linesOperation, operation, type Running } from './operation.ts';
import { type BoxAdmin, exportables, type RowFilter } from './port.ts';
import { refused } from './problem.ts';
import { deviceLog } from './shapes.ts';

const logPageRows = 200;

const query = z.object({
  device_id: z.string().optional(),
  model: z.string().optional(),
  sn: z.string().optional(),
  from: z.coerce.number<number>().int().optional(),
  to: z.coerce.number<number>().int().optional(),
  text: z.string().optional(),
  department: z.string().optional(),
  person: z.string().optional(),
  box: boxOfDevices.optional(),
  with_photos: z.stringbool({ truthy: ['true'], falsy: ['false'] }).optional(),
  cursor: z.coerce.number<number>().int().optional(),
});
const row = z.record(z.string(), z.unknown());

export const recordOperations = {
  export: linesOperation({
    method: 'get',
    path: '/export/{what}',
    role: 'viewer',
    ofWholeTables: true,
    audited: described('exported records', '导出数据'),
    summary: described(
      'Records, oldest first, one JSON object a line; access records with the photos taken at the door (with_photos) for the role staff. Who takes records of people away is written down.',
      '导出记录，最早的在前，每行一个 JSON 对象；带照片的通行记录（with_photos）需要考勤员权限。导出人员记录会被记入操作记录',
    ),
    params: z.object({ what: z.enum(exportables) }),
    query,
    returns: described('The records', '记录'),
    line: row,
  }),
  logs: operation({
    method: 'get',
    path: '/logs',
    role: 'viewer',
    summary: described(
      'A page of device logs, oldest first; `cursor` goes on where the page ended',
      '设备日志，最早的在前，分页；用 `cursor` 继续下一页',
    ),
    query,
    returns: described('The page', '一页'),
    answer: z.object({ rows: z.array(deviceLog), cursor: z.number().nullable() }),
  }),
};

export const recordsOf = (admin: Pick<BoxAdmin, 'rows'>): Running<typeof recordOperations> => ({
  export({ what, ...asked }, call = byCommand) {
    const filter = filterOf(asked, call.signal);
    if (what !== 'logs') {
      call.subject(auditSubjects.say(filter.with_photos ? 'exported_with_photos' : 'exported', { what }));
      // A program may take them page by page, all day long.
      call.isReadOften();
    }
    if (filter.with_photos && call.caller.role === 'viewer')
      throw refused(403, 'Not allowed', 'photos need the role staff');
    return admin.rows(what, filter);
  },
  async logs(asked = {}, call = byCommand) {
    const rows: z.infer<typeof deviceLog>[] = [];
    for await (const found of admin.rows('logs', filterOf(asked, call.signal))) {
      rows.push(found as z.infer<typeof deviceLog>);
      if (rows.length === logPageRows) break;
    }
    return { rows, cursor: rows.at(-1)?.seq ?? asked.cursor ?? null };
  },
});

const filterOf = ({ cursor, ...rest }: z.infer<typeof query>, signal: AbortSignal | undefined): RowFilter => {
  const fields = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return { ...fields, ...(cursor === undefined ? {} : { after: cursor }), ...(signal && { signal }) };
};

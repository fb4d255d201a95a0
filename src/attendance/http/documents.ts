import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { type AttendanceCodeName, attendanceCodes } from '../../platform/attendance.ts';
import { type Described, described, reworded } from '../../words/described.ts';
import { attendanceCalls, attendancePath } from './attendance-calls.ts';
import { organizationCalls } from './organization-calls.ts';

const header = (name: string, description: Described, schema: object = { type: 'string' }) => ({
  in: 'header' as const,
  name,
  required: true,
  schema,
  description,
});

const signed = [
  header('App-Key', described('identifies the caller', '标识调用方')),
  header(
    'App-Timestamp',
    described('now in milliseconds, 13 digits; at most 10 minutes off', '当前时间，13 位毫秒；误差不超过 10 分钟'),
  ),
  header(
    'App-Sig',
    described(
      'MD5 in lower-case hex over path, App-Timestamp, App-Key and App-Secret, concatenated',
      '将路径、App-Timestamp、App-Key、App-Secret 依次相连后的 MD5，小写十六进制',
    ),
  ),
];

const codesInChinese: Readonly<Record<AttendanceCodeName, string>> = {
  success: '成功',
  wrong_key: 'key 错误',
  key_missing: '缺少 key',
  wrong_signature: '签名错误',
  signature_missing: '缺少签名',
  timestamp_missing: '缺少时间戳',
  bad_body: '请求内容错误',
  wrong_module: '模块错误',
  organization_abnormal: '组织异常',
  timeout: '超时',
  too_many_calls: '调用过于频繁',
  ext_id_in_use: '外部编号已被使用',
  department_has_employees: '部门下有人员',
  unknown_id: '编号不存在',
};
const allCodes = Object.entries(attendanceCodes) as [AttendanceCodeName, number][];
const codes = described(
  allCodes.map(([name, code]) => `${code} ${name.replaceAll('_', ' ')}`).join(', '),
  allCodes.map(([name, code]) => `${code} ${codesInChinese[name]}`).join('，'),
);

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });

/**
 * The attendance API's part of /openapi.json. The five commands share one path, so their bodies and
 * answers are alternatives.
 */
export function documentAttendance(routes: OpenAPIHono): void {
  const calls = [...organizationCalls, ...attendanceCalls];
  const answer = (data: z.ZodType | undefined) =>
    z.object({ code: z.number().int().describe(codes), msg: z.string(), ...(data ? { data } : {}) });
  for (const { path, summary, body, example, answers } of calls.filter(one => one.command === ''))
    routes.openAPIRegistry.registerPath({
      method: 'post',
      path,
      tags: ['Attendance'],
      summary,
      parameters: signed,
      request: { body: { required: true, content: { 'application/json': { schema: body, example } } } },
      responses: {
        200: {
          description: described('code 0, or why not', 'code 为 0，或失败的原因'),
          content: json(answer(answers ?? z.null())),
        },
      },
    });
  const commands = calls.filter(one => one.command !== '');
  const commandNames = commands.map(one => one.command);
  const bodies = commands.map(({ body, command, summary }) =>
    body.describe(reworded(summary, text => `${command}: ${text}`)),
  );
  const results: z.ZodType[] = commands.map(({ answers }) => answer(answers));
  routes.openAPIRegistry.registerPath({
    method: 'post',
    path: attendancePath,
    tags: ['Attendance'],
    summary: described(`The commands ${commandNames.join(', ')}`, `命令 ${commandNames.join('、')}`),
    parameters: [
      ...signed,
      header('Api-Module', described('always CHECKIN', '固定为 CHECKIN'), { type: 'string', enum: ['CHECKIN'] }),
      header('Api-Cmd', described('what is to be done', '要执行的命令'), { type: 'string', enum: commandNames }),
    ],
    request: {
      body: {
        required: true,
        content: {
          'application/json': {
            schema: z.union(bodies as [z.ZodType, z.ZodType]),
            examples: Object.fromEntries(commands.map(({ command, example }) => [command, { value: example }])),
          },
        },
      },
    },
    responses: {
      200: {
        description: described('code 0, or why not', 'code 为 0，或失败的原因'),
        content: json(z.union(results as [z.ZodType, z.ZodType])),
      },
    },
  });
}

import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { attendanceCodes } from '../../platform/attendance.ts';
import { attendanceCalls, attendancePath } from './attendance-calls.ts';
import { organizationCalls } from './organization-calls.ts';

const header = (name: string, description: string, schema: object = { type: 'string' }) => ({
  in: 'header' as const,
  name,
  required: true,
  schema,
  description,
});

const signed = [
  header('App-Key', 'identifies the caller'),
  header('App-Timestamp', 'now in milliseconds, 13 digits; at most 10 minutes off'),
  header('App-Sig', 'MD5 in lower-case hex over path, App-Timestamp, App-Key and App-Secret, one behind the other'),
];

const codes = Object.entries(attendanceCodes)
  .map(([name, code]) => `${code} ${name.replaceAll('_', ' ')}`)
  .join(', ');

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });

/**
 * The attendance API's part of /openapi.json. The five commands share one path, so their bodies and
 * answers are alternatives.
 */
export function documentAttendance(routes: OpenAPIHono): void {
  const calls = [...organizationCalls, ...attendanceCalls];
  const answer = (data: z.ZodType | undefined) =>
    z.object({ code: z.number().int().describe(codes), msg: z.string(), ...(data ? { data } : {}) });
  for (const { path, summary, body, answers } of calls.filter(one => one.command === ''))
    routes.openAPIRegistry.registerPath({
      method: 'post',
      path,
      tags: ['Attendance'],
      summary,
      parameters: signed,
      request: { body: { required: true, content: json(body) } },
      responses: { 200: { description: 'code 0, or why not', content: json(answer(answers ?? z.null())) } },
    });
  const commands = calls.filter(one => one.command !== '');
  const bodies = commands.map(({ body, command, summary }) => body.describe(`${command}: ${summary}`));
  const results: z.ZodType[] = commands.map(({ answers }) => answer(answers));
  routes.openAPIRegistry.registerPath({
    method: 'post',
    path: attendancePath,
    tags: ['Attendance'],
    summary: `The commands ${commands.map(one => one.command).join(', ')}`,
    parameters: [
      ...signed,
      header('Api-Module', 'always CHECKIN', { type: 'string', enum: ['CHECKIN'] }),
      header('Api-Cmd', 'what is to be done', { type: 'string', enum: commands.map(one => one.command) }),
    ],
    request: { body: { required: true, content: json(z.union(bodies as [z.ZodType, z.ZodType])) } },
    responses: {
      200: { description: 'code 0, or why not', content: json(z.union(results as [z.ZodType, z.ZodType])) },
    },
  });
}

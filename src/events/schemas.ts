import { z } from '@hono/zod-openapi';
import { eventKinds } from '../platform/event-topics.ts';

/** Schemas of all messages: for /asyncapi.json, and for the test that holds real events to it. */

const ms = (what: string) => z.number().int().describe(`${what}, in milliseconds since 1970`);
const seconds = (what: string) => z.number().int().describe(`${what}, in seconds since 1970`);

const numbered = {
  seq: z.number().int().describe('Rises within a kind, with gaps'),
  previous: z
    .number()
    .int()
    .describe('The seq of the event before it: whoever had another one last has missed some, and asks for them'),
  device_id: z.string().describe('Empty: no device of the site reported it'),
  device_name: z.string().describe('Empty: it has none'),
  received_at: ms('When the box received it'),
};
const person = {
  ext_id: z.string().describe('The id of the person, as the device sent it'),
  known: z.boolean().describe('Whether the organization knows the person'),
  name: z.string().describe('Empty: not known'),
  department: z.string(),
};

const checkin = z.object({
  ...numbered,
  record: z.number().int().describe('The same in two events: the person became known after the first'),
  ...person,
  employee_num: z.string(),
  check_type: z.string().describe('As the device says it, such as fa (face) or ic (card)'),
  check_time: seconds('When the device says it was'),
});
const access = z.object({
  ...numbered,
  record: z.number().int(),
  door_id: z.string(),
  ...person,
  check_type: z.string(),
  check_time: seconds('When the device says it was'),
  check_result: z.number().int().describe('0 passed, 1 no permission, 2 stranger, 8 locked, 9 fault'),
});
const log = z.object({
  ...numbered,
  model: z.string(),
  sn: z.string(),
  text: z.string(),
  truncated: z.boolean(),
});
const presence = z.object({
  device_id: z.string(),
  device_name: z.string(),
  online: z.boolean(),
  at: ms('When that changed, or the box was started'),
});
const line = z.object({
  state: z.string().describe('none: the box stands alone; else up, down or what it does now'),
  since: z.number().nullable(),
  why: z.string(),
  code: z.string().optional().describe('Of the reason: it stays where the text is reworded'),
  params: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .describe('What the reason names'),
  next_try_at: z.number().nullable(),
  waiting: z.number().int().describe('Records that wait for the cloud'),
  parked: z.number().int().describe('Records that the cloud refused for good'),
});
const alert = z.object({
  kind: z.string(),
  severity: z.string(),
  since: ms('When it began'),
  title: z.string().describe('In the language of the site'),
  subjects: z.array(z.string()).describe('Devices or channels that it is about'),
  over_at: ms('When it ended; absent while it lasts').optional(),
});
const box = z.object({
  version: z.string(),
  site: z.string(),
  epoch: z.string().describe('Another one: the box has another store, and seq begins anew'),
  devices: z.object({ known: z.number().int(), online: z.number().int() }),
  waiting: z.number().int(),
  parked: z.number().int(),
  disk: z.object({ used_bytes: z.number(), free_bytes: z.number() }),
  checkins_today: z.number().int(),
  alerts: z.array(z.string()).describe('Kinds that are open'),
});
const changed = z.object({ at: ms('When') });
const responseTopic = z.string().describe('Below gatehouse/v1/answers/{program}/');

const replay = z.object({
  kind: z.enum(eventKinds),
  after: z.number().int().nonnegative().optional().describe('The seq of the last event that is known; absent: 0'),
  limit: z.number().int().min(1).max(500).optional().describe('Absent: 500'),
  response_topic: responseTopic,
});
const replayEnd = z.object({
  end: z.literal(true),
  kind: z.enum(eventKinds),
  after: z.number().int(),
  through: z.number().int().describe('`after` of the next request'),
  count: z.number().int(),
  more: z.boolean().describe('Whether there may be more'),
  epoch: z.string(),
});
const replayRefused = z.object({
  end: z.literal(true),
  error: z.string().describe('What is wrong, and what to write'),
});
const command = z.object({
  action: z.number().int().min(0).max(0xffff_ffff).describe('An action code that the token allows'),
  data: z.record(z.string(), z.unknown()).optional(),
  response_topic: responseTopic.optional().describe('Absent: nobody waits for the answer'),
  timeout_s: z.number().int().min(1).max(300).optional().describe('Absent: 30'),
});
const commandAnswer = z.object({
  ok: z.literal(true),
  mid: z.string(),
  action: z.number().int(),
  data: z.record(z.string(), z.unknown()),
});
const commandRefused = z.object({ ok: z.literal(false), mid: z.string().optional(), why: z.string() });

export const payloads = {
  ...{ checkin, access, log, presence, line, alert, box },
  ...{ people_changed: changed, missed: changed },
  ...{ replay, replay_end: replayEnd, replay_refused: replayRefused },
  ...{ command, command_answer: commandAnswer, command_refused: commandRefused },
} as const;
export type PayloadName = keyof typeof payloads;

import { z } from '@hono/zod-openapi';
import { eventTopics } from '../platform/event-topics.ts';
import { type PayloadName, payloads } from './schemas.ts';

/** One channel, from the side of the box. */
interface Channel {
  readonly address: string;
  readonly says: string;
  /** Direction: the box sends, or receives. */
  readonly action: 'send' | 'receive';
  readonly messages: readonly PayloadName[];
  readonly retained?: true;
}

const channels: Readonly<Record<string, Channel>> = {
  checkins: {
    address: eventTopics.record('checkins', '{device_id}'),
    says: 'A check-in, after it was committed. People’s data',
    ...{ action: 'send', messages: ['checkin'] },
  },
  access: {
    address: eventTopics.record('access', '{device_id}'),
    says: 'A passage at a door, or one that was refused. People’s data',
    ...{ action: 'send', messages: ['access'] },
  },
  logs: {
    address: eventTopics.record('logs', '{device_id}'),
    says: 'A line that a device logged. It may name people',
    ...{ action: 'send', messages: ['log'] },
  },
  presence: {
    address: eventTopics.presence('{device_id}'),
    says: 'Whether a device is connected',
    ...{ action: 'send', messages: ['presence'], retained: true },
  },
  line: {
    address: eventTopics.line,
    says: 'The line to the cloud, and what waits for it',
    ...{ action: 'send', messages: ['line'], retained: true },
  },
  alerts: {
    address: eventTopics.alert('{kind}'),
    says: 'An alert, while it lasts; once more with over_at when it is over, then empty',
    ...{ action: 'send', messages: ['alert'], retained: true },
  },
  people_changed: {
    address: eventTopics.peopleChanged,
    says: 'Somebody or something of the organization has changed: read it again',
    ...{ action: 'send', messages: ['people_changed'] },
  },
  box: {
    address: eventTopics.box,
    says: 'The box: version, disk, backlog, counts of today',
    ...{ action: 'send', messages: ['box'], retained: true },
  },
  missed: {
    address: eventTopics.missed,
    says: 'The program was too slow: what it was not sent can be asked for',
    ...{ action: 'send', messages: ['missed'] },
  },
  replay: {
    address: eventTopics.replay,
    says: 'Asks for the events of a kind after a seq',
    ...{ action: 'receive', messages: ['replay'] },
  },
  commands: {
    address: eventTopics.command('{device_id}'),
    says: 'Sends an action to a device that is connected',
    ...{ action: 'receive', messages: ['command'] },
  },
  answers: {
    address: `${eventTopics.answers('{program}')}/{any}`,
    says: 'Answers to one program: to a replay its events and what ends them, to a command one message',
    action: 'send',
    messages: ['checkin', 'access', 'log', 'replay_end', 'replay_refused', 'command_answer', 'command_refused'],
  },
};

/** Replies of the box to messages that it receives. */
const replies: Readonly<Record<string, readonly PayloadName[]>> = {
  replay: ['checkin', 'access', 'log', 'replay_end', 'replay_refused'],
  commands: ['command_answer', 'command_refused'],
};

const parameters: Readonly<Record<string, string>> = {
  device_id: 'The id of the device; cloud: only the cloud lists the record',
  kind: 'The kind of the alert',
  program: 'The name of the program',
  any: 'What the program chose',
};

const ref = (...path: readonly string[]) => ({ $ref: `#/${path.join('/')}` });
const entries = <T>(of: Readonly<Record<string, T>>, as: (name: string, one: T) => unknown) =>
  Object.fromEntries(Object.entries(of).map(([name, one]) => [name, as(name, one)]));

/** AsyncAPI 3.0 of the broker for programs; `server` null: `listen.events` is off. */
export const asyncApi = (version: string, server: { readonly host: string; readonly isTls: boolean } | null) => ({
  asyncapi: '3.0.0',
  info: {
    title: 'Gatehouse',
    version,
    description:
      'Events for the site’s own programs over MQTT 3.1.1. The user name is the name of the program, the password its token. Fields may be added; those that are here stay.',
  },
  defaultContentType: 'application/json',
  ...(server && {
    servers: {
      box: {
        host: server.host,
        protocol: server.isTls ? 'mqtts' : 'mqtt',
        protocolVersion: '3.1.1',
        security: [ref('components', 'securitySchemes', 'token')],
      },
    },
  }),
  channels: entries(channels, (_name, { address, says, messages }) => ({
    address,
    description: says,
    ...parametersOf(address),
    messages: Object.fromEntries(messages.map(one => [one, ref('components', 'messages', one)])),
  })),
  operations: entries(channels, (name, { action, says, messages, retained }) => ({
    action,
    channel: ref('channels', name),
    summary: says,
    messages: messages.map(one => ref('channels', name, 'messages', one)),
    ...(retained && { bindings: { mqtt: { retain: true, bindingVersion: '0.2.0' } } }),
    ...(replies[name] && {
      reply: {
        address: { location: '$message.payload#/response_topic' },
        channel: ref('channels', 'answers'),
        messages: replies[name].map(one => ref('channels', 'answers', 'messages', one)),
      },
    }),
  })),
  components: {
    messages: entries(payloads, (name, schema) => ({
      name,
      contentType: 'application/json',
      payload: schemaOf(schema),
    })),
    securitySchemes: {
      token: { type: 'userPassword', description: 'Made by `gatehouse token create --role events`' },
    },
  },
});

function parametersOf(address: string) {
  const named = [...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  if (named.length === 0) return {};
  return { parameters: Object.fromEntries(named.map(name => [name, { description: parameters[name]! }])) };
}

function schemaOf(schema: z.ZodType): object {
  const { $schema: _, ...said } = z.toJSONSchema(schema, { io: 'input' });
  return said;
}

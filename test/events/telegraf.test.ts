import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { examplePayload } from '../support/events-guide.ts';
import { hasTool, suiteWhere } from '../support/tools.ts';

const file = fileURLToPath(new URL('../../docs/integrations/telegraf.conf', import.meta.url));
const parse = 'import json, sys, tomllib; json.dump(tomllib.load(open(sys.argv[1], "rb")), sys.stdout)';

/** The keys that Telegraf documents for the plugin and for the parser json_v2; no others are taken. */
const value = z.strictObject({ path: z.string(), rename: z.string().optional() });
const field = z.strictObject({
  ...value.shape,
  type: z.enum(['int', 'uint', 'float', 'string', 'bool']),
  optional: z.boolean().optional(),
});
const config = z.strictObject({
  inputs: z.strictObject({
    mqtt_consumer: z.array(
      z.strictObject({
        servers: z.array(z.string().regex(/^(tcp|ssl):\/\/\S+:\d+$/)),
        topics: z.array(z.string()).length(1),
        username: z.string(),
        password: z.string(),
        client_id: z.string(),
        qos: z.int().min(0).max(2).optional(),
        persistent_session: z.boolean().optional(),
        data_format: z.literal('json_v2'),
        json_v2: z
          .array(
            z.strictObject({
              measurement_name: z.string(),
              timestamp_path: z.string().optional(),
              timestamp_format: z.enum(['unix', 'unix_ms', 'unix_us', 'unix_ns']).optional(),
              tag: z.array(value),
              field: z.array(field),
            }),
          )
          .length(1),
      }),
    ),
  }),
});

const kinds = { number: 'int', string: 'string', boolean: 'bool' } as Readonly<Record<string, string>>;

suiteWhere(hasTool('python3'), 'needs python3: apt-get install python3', 'the example for Telegraf', () => {
  test('has the keys that Telegraf documents, and reads fields that the events have', () => {
    const { inputs } = config.parse(JSON.parse(execFileSync('/usr/bin/python3', ['-c', parse, file]).toString()));
    expect(inputs.mqtt_consumer).toHaveLength(3);
    expect(new Set(inputs.mqtt_consumer.map(({ client_id }) => client_id)).size).toBe(3);
    for (const { topics, json_v2 } of inputs.mqtt_consumer) {
      const example = examplePayload(/^gatehouse\/v1\/(\w+)/.exec(topics[0]!)![1]!);
      const at = (path: string) => path.split('.').reduce<unknown>((all, name) => Object(all)[name], example);
      const { tag, field: fields, timestamp_path: moment } = json_v2[0]!;
      for (const { path } of tag) expect(typeof at(path), path).toBe('string');
      for (const { path, type } of fields) expect(kinds[typeof at(path)], path).toBe(type);
      if (moment !== undefined) expect(typeof at(moment)).toBe('number');
    }
  });
});

import mqtt from 'mqtt';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { discoveryOf } from '../../src/events/home-assistant.ts';
import { EventsBox } from '../support/events-box.ts';
import { until } from '../support/until.ts';

/**
 * The fields that Home Assistant documents for the discovery of whole devices, and for its MQTT
 * sensors and binary sensors; those alone that take values of this kind. Nothing else may be sent.
 */
const topic = z.string().regex(/^[^#+\0]+$/);
const template = z.string().regex(/^\{\{ .* \}\}$/);
const entityCategory = z.enum(['config', 'diagnostic']);
const shared = {
  name: z.string().min(1).nullable().optional(),
  unique_id: z.string().min(1),
  state_topic: topic,
  value_template: template.optional(),
  entity_category: entityCategory.optional(),
  enabled_by_default: z.boolean().optional(),
  expire_after: z.int().optional(),
  force_update: z.boolean().optional(),
  icon: z.string().startsWith('mdi:').optional(),
  json_attributes_topic: topic.optional(),
  json_attributes_template: template.optional(),
};
const component = z.discriminatedUnion('platform', [
  z.strictObject({
    platform: z.literal('binary_sensor'),
    ...shared,
    device_class: z.enum(['connectivity', 'problem', 'running', 'update', 'power', 'door', 'lock']).optional(),
    payload_on: z.string().optional(),
    payload_off: z.string().optional(),
    off_delay: z.int().optional(),
  }),
  z
    .strictObject({
      platform: z.literal('sensor'),
      ...shared,
      device_class: z.enum(['data_size', 'duration', 'timestamp', 'enum']).optional(),
      state_class: z.enum(['measurement', 'total', 'total_increasing']).optional(),
      unit_of_measurement: z.string().optional(),
      suggested_display_precision: z.int().min(0).optional(),
    })
    .refine(one => one.device_class !== 'data_size' || ['B', 'kB', 'MB', 'GB'].includes(one.unit_of_measurement ?? '')),
]);
const discovered = z.strictObject({
  device: z.strictObject({
    identifiers: z.array(z.string()).min(1),
    connections: z.array(z.tuple([z.string(), z.string()])).optional(),
    name: z.string().min(1),
    manufacturer: z.string().optional(),
    model: z.string().optional(),
    model_id: z.string().optional(),
    serial_number: z.string().optional(),
    sw_version: z.string().optional(),
    hw_version: z.string().optional(),
    suggested_area: z.string().optional(),
    via_device: z.string().optional(),
    configuration_url: z.url().optional(),
  }),
  origin: z.strictObject({ name: z.string(), sw_version: z.string().optional(), support_url: z.url().optional() }),
  availability: z.array(
    z.strictObject({
      topic,
      value_template: template.optional(),
      payload_available: z.string().optional(),
      payload_not_available: z.string().optional(),
    }),
  ),
  availability_mode: z.enum(['all', 'any', 'latest']).optional(),
  components: z.record(z.string().regex(/^[\w-]+$/), component),
});
const read = (payload: string) => discovered.parse(JSON.parse(payload));

const facts = {
  boxId: 'GATEHOUSE_000001',
  serialNumber: '000001',
  model: 'GH1',
  version: '1.2.3',
  site: 'Plant 4',
  url: 'https://box.example',
} as const;

test('what is said has the fields and words that Home Assistant documents, in each language', () => {
  const devices = [
    { deviceId: 'FACE-T1_A0001', name: 'Gate 1', model: 'FT1' },
    { deviceId: 'FACE-T1_A0002', name: '', model: 'FT1' },
  ];
  for (const [language, ofTheLine] of [
    ['en', 'Cloud connection'],
    ['zh', '云平台连接'],
  ] as const) {
    const said = discoveryOf({ ...facts, language }, devices);
    expect([...said.keys()]).toEqual([
      'homeassistant/device/gatehouse_GATEHOUSE_000001/config',
      'homeassistant/device/gatehouse_FACE-T1_A0001/config',
      'homeassistant/device/gatehouse_FACE-T1_A0002/config',
    ]);
    const [box, first, second] = [...said.values()].map(read);
    expect(box!.device).toMatchObject({ name: 'Plant 4', configuration_url: 'https://box.example' });
    expect(box!.components.line!.name).toBe(ofTheLine);
    expect([first!.device.name, second!.device.name]).toEqual(['Gate 1', 'FACE-T1_A0002']);
    expect(first!.device.via_device).toBe(box!.device.identifiers[0]);
    const ids = [box, first, second].flatMap(one => Object.values(one!.components).map(({ unique_id }) => unique_id));
    expect(new Set(ids).size).toBe(ids.length);
  }
});

test('a box describes itself and each device that comes, and all of it when Home Assistant starts', async () => {
  await using site = await EventsBox.start({ events: { home_assistant: 'on' }, site: { name: 'Plant 4' } });
  const password = await site.token('home', 'homeassistant/#,devices/#,line,box');
  const home = await mqtt.connectAsync(site.url, {
    username: 'home',
    password,
    will: { topic: 'homeassistant/status', payload: Buffer.from('offline'), qos: 0, retain: true },
  });
  const heard: { topic: string; text: string; retain: boolean }[] = [];
  home.on('message', (topic, payload, { retain }) => heard.push({ topic, text: payload.toString(), retain }));
  await home.subscribeAsync('homeassistant/device/+/config');
  const ofBox = 'homeassistant/device/gatehouse_GATEHOUSE_000001/config';
  const ofDevice = 'homeassistant/device/gatehouse_FACE-T1_A0001/config';
  const times = (topic: string) => heard.filter(one => one.topic === topic).length;
  await until('the box is there', () => times(ofBox) === 1);
  expect(read(heard[0]!.text).device.name).toBe('Plant 4');
  const terminal = site.terminal();
  await terminal.say('device');
  await until('the device is there', () => times(ofDevice) === 1);
  const { components, availability } = read(heard.find(one => one.topic === ofDevice)!.text);
  expect(components.connected!.state_topic).toBe('gatehouse/v1/devices/FACE-T1_A0001/presence');

  await home.publishAsync('homeassistant/status', 'online');
  await until('all is said again', () => times(ofBox) === 2 && times(ofDevice) === 2);
  await home.endAsync();

  const later = await mqtt.connectAsync(site.url, { username: 'home', password });
  const kept = new Map<string, string>();
  later.on('message', (topic, payload, { retain }) => retain && kept.set(topic, payload.toString()));
  const states = [...new Set([...Object.values(components), ...Object.values(read(heard[0]!.text).components)])];
  const topics = [ofBox, ofDevice, availability[0]!.topic, ...states.map(one => one.state_topic)];
  await later.subscribeAsync(['homeassistant/device/+/config', ...new Set(topics.slice(2))]);
  await until('what is retained has come', () => topics.every(one => kept.has(one)));
  await later.endAsync();
});

test('nothing is said to Home Assistant unless the config says so', async () => {
  await using site = await EventsBox.start();
  const password = await site.token('home', 'homeassistant/#,box');
  const home = await mqtt.connectAsync(site.url, { username: 'home', password });
  const heard: string[] = [];
  home.on('message', topic => heard.push(topic));
  await home.subscribeAsync(['homeassistant/#', 'gatehouse/v1/box']);
  await until('the box has said how it is', () => heard.includes('gatehouse/v1/box'));
  expect(heard).toEqual(['gatehouse/v1/box']);
  await home.endAsync();
});

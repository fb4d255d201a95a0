import mqtt from 'mqtt';
import { expect, test } from 'vitest';
import { EventsBox } from '../support/events-box.ts';
import { examplePayload, shapeOf } from '../support/events-guide.ts';
import { until } from '../support/until.ts';

test('an alert that is open is heard by a program, with the fields of the guide', async () => {
  // The certificate of the box ends within 100 years.
  await using site = await EventsBox.start({ alerts: { rules: { certificate: { at: 36_500, minutes: 0 } } } });
  const password = await site.token('watch', 'alerts/#');
  const client = await mqtt.connectAsync(site.url, { username: 'watch', password });
  const heard: object[] = [];
  client.on('message', (_topic, payload) => heard.push(JSON.parse(payload.toString())));
  await client.subscribeAsync('gatehouse/v1/alerts/#');
  // The box looks every half minute, and when a device comes.
  await site.terminal().say('log');
  const [alert] = await until('it comes', () => (heard.length > 0 ? heard : null));
  await client.endAsync(true);
  expect(alert).toMatchObject({ kind: 'certificate', subjects: [] });
  expect(shapeOf(alert!)).toEqual(shapeOf(examplePayload('alerts/')));
});

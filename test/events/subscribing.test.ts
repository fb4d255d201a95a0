import mqtt from 'mqtt';
import { expect, test } from 'vitest';
import { EventsBox } from '../support/events-box.ts';
import { until } from '../support/until.ts';

test('what comes right after the SUBACK is heard, of each kind', async () => {
  await using site = await EventsBox.start();
  const terminal = site.terminal();
  const password = await site.token('late', 'checkins/#,logs/#');
  for (let round = 0; round < 10; round++) {
    const client = await mqtt.connectAsync(site.url, { username: 'late', password });
    const heard: string[] = [];
    client.on('message', topic => heard.push(topic.split('/')[2]!));
    await client.subscribeAsync('gatehouse/v1/checkins/#');
    await terminal.say('device');
    await client.subscribeAsync('gatehouse/v1/logs/#');
    await terminal.say('log');
    await until('both have come', () => heard.length === 2 || Promise.reject(`${round}: ${heard}`));
    expect(heard.sort()).toEqual(['checkins', 'logs']);
    await client.endAsync(true);
  }
});

import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { PulledAnswers } from '../../../src/devices/http/pulled.ts';

test('a pull waits until what arrived with the connection before is removed, and is not told it again', async () => {
  const stored = Promise.withResolvers<void>();
  const inbox = { remove: () => stored.promise };
  const answers = new PulledAnswers(inbox as never);
  const [first, second] = [new EventEmitter(), new EventEmitter()];
  const outgoing = new EventEmitter();
  answers.goes(1 as never, [{ id: 7 }] as never, first as never, outgoing as never);
  outgoing.emit('finish');
  first.emit('end');
  const order: string[] = [];
  const comes = answers.comes(1 as never, second as never).then(() => order.push('pulls'));
  await new Promise(resolve => setImmediate(resolve));
  order.push('removed');
  stored.resolve();
  await comes;
  expect(order).toEqual(['removed', 'pulls']);
});

import { Duplex } from 'node:stream';
import { generate } from 'mqtt-packet';
import { describe, expect, test } from 'vitest';
import { Outbox } from '../../src/events/outbox.ts';

const publish = (payload: string, qos: 0 | 1 = 0, topic = 't') =>
  generate({ cmd: 'publish', topic, payload, qos, retain: false, dup: false, ...(qos ? { messageId: 1 } : {}) });
const turn = () => new Promise(resolve => setImmediate(resolve));

/** A socket that takes one write, and the next when it is told to. */
function aSlowSocket(packetsMax = 4, bytesMax = 1 << 20) {
  const taken: Buffer[] = [];
  const free: (() => void)[] = [];
  const socket = new Duplex({
    writableHighWaterMark: 1,
    read() {},
    write(chunk: Buffer, _encoding, done) {
      taken.push(chunk);
      free.push(done);
    },
  });
  const heard = { dropped: 0, level: 0 };
  const outbox = new Outbox(socket, {
    packetsMax,
    bytesMax,
    onDropped: count => {
      heard.dropped += count;
    },
    onLevel: () => heard.level++,
  });
  outbox.on('error', () => {});
  return {
    ...{ socket, outbox, heard },
    taken: () => taken.map(bytes => bytes.toString('latin1').slice(-2)),
    async readAll() {
      for (let next = free.shift(); next; next = free.shift()) {
        next();
        await turn();
      }
    },
  };
}

describe('a program that does not read', () => {
  test('never holds the broker: every write is taken at once', async () => {
    const { outbox } = aSlowSocket(1000);
    for (let number = 0; number < 500; number++) expect(outbox.write(publish('x'))).toBe(true);
    await turn();
    expect(outbox.writableNeedDrain).toBe(false);
  });

  test('loses the oldest messages of QoS 0, counted, and is told when it is level again', async () => {
    const it = aSlowSocket();
    for (let number = 10; number < 20; number++) it.outbox.write(publish(String(number)));
    await it.readAll();
    const taken = it.taken();
    expect(taken.at(-1)).toBe('19');
    expect(taken.length + it.heard.dropped).toBe(10);
    expect(it.heard).toEqual({ dropped: 10 - taken.length, level: 1 });
    expect([...taken].sort()).toEqual(taken);
  });

  test('of QoS 1 loses nothing: its connection ends, and its session goes on', async () => {
    const it = aSlowSocket();
    for (let number = 10; number < 20; number++) it.outbox.write(publish(String(number), 1));
    await turn();
    expect(it.socket.destroyed).toBe(true);
    expect(it.heard.dropped).toBe(0);
  });

  test('gets every answer to what it asked, whatever else is dropped', async () => {
    const it = aSlowSocket();
    const answer = (payload: string) => publish(payload, 0, 'gatehouse/v1/answers/wall/1');
    it.outbox.write(answer('a1'));
    for (let number = 10; number < 20; number++) it.outbox.write(publish(String(number)));
    it.outbox.write(answer(`${'x'.repeat(200)}a2`));
    for (let number = 20; number < 30; number++) it.outbox.write(publish(String(number)));
    await it.readAll();
    expect(it.taken().filter(payload => payload.startsWith('a'))).toEqual(['a1', 'a2']);
    expect(it.heard.dropped).toBeGreaterThan(0);
  });

  test('of answers alone is ended: they are bounded too', async () => {
    const it = aSlowSocket();
    for (let number = 10; number < 20; number++)
      it.outbox.write(publish(String(number), 0, 'gatehouse/v1/answers/wall/1'));
    await turn();
    expect(it.socket.destroyed).toBe(true);
  });

  test('bytes are bounded as packets are', async () => {
    const it = aSlowSocket(1000, 4096);
    for (let number = 0; number < 100; number++) it.outbox.write(publish('x'.repeat(100)));
    await turn();
    expect(it.heard.dropped).toBeGreaterThan(50);
  });
});

describe('what is sent in pieces', () => {
  test('a packet that comes byte by byte is passed on whole', async () => {
    const it = aSlowSocket();
    for (const byte of publish('hello')) it.outbox.write(Buffer.of(byte));
    await it.readAll();
    expect(it.taken()).toEqual(['lo']);
  });

  test('a packet of a program over 16 KiB ends its connection before it is kept', async () => {
    const it = aSlowSocket();
    it.socket.push(Buffer.from('3080800401', 'hex'));
    await turn();
    await turn();
    expect(it.outbox.destroyed).toBe(true);
  });

  test.each([
    ['in one piece', [publish('a'), publish('b')]],
    ['cut in its head', [publish('a').subarray(0, 1), publish('a').subarray(1)]],
  ])('bytes of a program pass as they are, %s', async (_how, pieces) => {
    const it = aSlowSocket();
    const read: Buffer[] = [];
    it.outbox.on('data', bytes => read.push(bytes));
    for (const piece of pieces) {
      it.socket.push(piece);
      await turn();
    }
    expect(Buffer.concat(read)).toEqual(Buffer.concat(pieces));
    expect(it.outbox.destroyed).toBe(false);
  });
});

import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../support/clock.ts';
import { anMqttGateway, connect, gatewayDevice, gatewayMessageBytesMax, publish } from '../../support/mqtt-gateway.ts';
import { peerExchanges } from './peer-packets.ts';

/** `STREAMS=1000000` is the long run; any seed is repeated with `SEED`. */
const streams = Number(process.env.STREAMS ?? 4_000);
const firstSeed = Number(process.env.SEED ?? 1);

const ownTopic = Buffer.from(`$client/${gatewayDevice}`);
const subscribe = Buffer.from([0x82, ownTopic.length + 5, 0, 9, 0, ownTopic.length, ...ownTopic, 1]);
const pingreq = Buffer.from([0xc0, 0]);
const ofPeers = peerExchanges.map(({ exchange }) => Buffer.from(exchange.map(([sent]) => sent).join(''), 'hex'));

/**
 * Packets that are right, of peers too, with some of their bytes changed, left out or doubled; then
 * cut anywhere.
 */
function aStream(random: () => number): Buffer[] {
  const below = (max: number) => Math.floor(random() * max);
  const packets = [
    () => publish({ id: 1 + below(3), payload: Buffer.alloc(below(300), 0x7b) }),
    () => publish({ topic: 'log/FT1/A1', qos: below(3), id: below(4) }),
    () => subscribe,
    () => Buffer.from([0xa2, ownTopic.length + 4, 0, 8, 0, ownTopic.length, ...ownTopic]),
    () => pingreq,
    () => Buffer.from([0x40 + 0x10 * below(4), 2, 0, below(3)]),
    () => Buffer.from([0x62, 2, 0, below(3)]),
    () => connect,
    () => Buffer.from([below(256), 0xff, 0xff, 0xff, below(256)]),
  ];
  const all: Buffer[] = random() < 0.9 ? [connect] : [];
  for (let count = below(12); count > 0; count--) all.push(packets[below(packets.length)]!());
  let bytes: Buffer = random() < 0.8 ? Buffer.concat(all) : ofPeers[below(ofPeers.length)]!;
  for (let changes = below(4); changes > 0 && bytes.length > 0; changes--) {
    const at = random() < 0.7 ? Math.min(bytes.length - 1, connect.length + below(bytes.length)) : below(bytes.length);
    const kind = below(3);
    const middle =
      kind === 0 ? Buffer.of(below(256)) : kind === 1 ? Buffer.alloc(0) : bytes.subarray(at, at + below(20));
    bytes = Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(at + (kind === 2 ? 0 : 1))]);
  }
  const pieces: Buffer[] = [];
  while (bytes.length > 0) {
    const length = random() < 0.5 ? bytes.length : 1 + below(20);
    pieces.push(bytes.subarray(0, length));
    bytes = bytes.subarray(length);
  }
  return pieces;
}

/**
 * What a device may be told: CONNACK, PUBLISH, PUBACK, PUBREL, PUBCOMP, SUBACK, UNSUBACK, PINGRESP.
 */
const answerHeads = new Set([0x20, 0x30, 0x40, 0x62, 0x70, 0x90, 0xb0, 0xd0]);

/** The heads of the packets in what was said; throws where it is no sequence of whole packets. */
function headsIn(said: Buffer): number[] {
  const heads: number[] = [];
  for (let at = 0; at < said.length; ) {
    heads.push(said[at]!);
    expect(answerHeads).toContain(said[at]);
    let length = 0;
    let shift = 0;
    let byte = 0;
    do {
      byte = said[++at]!;
      length += (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
    at += 1 + length;
    expect(at).toBeLessThanOrEqual(said.length);
  }
  return heads;
}

describe('whatever bytes come', () => {
  test(`${streams} streams end in a closed connection or in a right answer`, { timeout: 3_600_000 }, async () => {
    for (let seed = firstSeed; seed < firstSeed + streams; seed++) {
      await using gateway = await anMqttGateway();
      for (const piece of aStream(seededRandom(seed))) await gateway.feed(piece);
      await gateway.commit();
      const heads = headsIn(Buffer.from(gateway.said(), 'hex'));
      const pubacks = heads.filter(head => head === 0x40).length;
      expect([seed, heads.filter(head => head === 0x20).length <= 1, pubacks <= gateway.taken.length + 12]).toEqual([
        seed,
        true,
        true,
      ]);
      if (gateway.ended()) continue;
      // It waits for more: the rest of a packet, within its bound, or the next one.
      expect([seed, gateway.unread()]).toEqual([seed, 0]);
      await gateway.feed(Buffer.alloc(2 * gatewayMessageBytesMax, 0xff));
      expect([seed, gateway.ended()]).toEqual([seed, true]);
    }
  });

  test(`${streams / 4} streams are taken and answered the same, however they are cut`, {
    timeout: 3_600_000,
  }, async () => {
    for (let seed = firstSeed; seed < firstSeed + streams / 4; seed++) {
      const pieces = aStream(seededRandom(seed));
      const { said: inPieces, ...cut } = await seen(pieces);
      const { said: atOnce, ...whole } = await seen([Buffer.concat(pieces)]);
      expect([seed, cut]).toEqual([seed, whole]);
      // Answers of the turn in which a connection ends are not written.
      if (cut.ended) expect(inPieces).toContain(atOnce);
      else expect([seed, inPieces]).toEqual([seed, atOnce]);
    }
  });
});

/** What can be seen of the gateway from outside when it was sent this. */
async function seen(pieces: readonly Buffer[]) {
  await using gateway = await anMqttGateway();
  for (const piece of pieces) await gateway.feed(piece);
  await gateway.commit();
  const { taken, notes, counters } = gateway;
  return { taken, notes, counted: counters.all(), said: gateway.said(), ended: gateway.ended() };
}

import type { Clock } from '../runtime/clock.ts';
import type { Seq } from '../store/index.ts';
import type { CloudSession } from './cloud-session.ts';
import { type BoxIdentity, boxNo } from './identities.ts';
import { InFlightRecord } from './in-flight-record.ts';
import type { Result } from './transport.ts';

/** A connection that breaks first tells nobody; a silent one is given up earlier than this. */
const answeredWithinMs = 60_000;
/**
 * Sequence number of logs that are in no journal. All have the same, so that a record at which the
 * cloud closes the connection is found like any other.
 */
const seq = -1 as Seq;

/**
 * Sends a log record of the box itself over its session (SPEC 4.1, 4.2): at most 4096 bytes of
 * UTF-8. One at a time. Never rejects.
 */
export async function sendOwnLog(
  session: CloudSession,
  { productId, deviceSn }: BoxIdentity,
  text: string,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Result> {
  const { window } = session;
  if (!window.isUp) return { kind: 'again', why: 'the line is down' };
  const bytes = Buffer.from(text);
  const answer = Promise.withResolvers<Result>();
  const record = new InFlightRecord(
    {
      ...{ seq, deviceNo: boxNo, channel: 'log', topic: `log/${productId.toUpperCase()}/${deviceSn.toUpperCase()}` },
      ...{ bytes, start: 0, end: bytes.length, receivedAt: clock.now(), action: null, parkedAt: null },
      ...{ passOver: false, stays: false },
    },
    {
      onAnswer: (_, result) => answer.resolve(result),
      onUnbearable: (_, { reason }) => answer.resolve({ kind: 'refused', code: 0, reason }),
    },
  );
  let isOver = false;
  const waiting = {
    go() {
      if (isOver) return;
      if (window.hasRoomFor(record)) window.send(record);
      else session.waitForRoom(waiting);
    },
  };
  waiting.go();
  const answered = new AbortController();
  const late = clock.sleep(answeredWithinMs, AbortSignal.any([signal, answered.signal])).then(
    (): Result => ({ kind: 'again', why: 'no answer in time' }),
    (): Result => ({ kind: 'again', why: 'stopped' }),
  );
  const result = await Promise.race([answer.promise, late]);
  answered.abort();
  isOver = true;
  // The record may have been the next in line: others no longer wait for it.
  window.suspectIsHeld();
  window.announceRoom();
  return result;
}

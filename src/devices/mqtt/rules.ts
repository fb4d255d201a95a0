import type { DeviceId } from '../../platform/device-id.ts';
import { limits } from '../../platform/limits.ts';
import { parseLogTopic } from '../../platform/log-topic.ts';
import type { Product } from '../../store/index.ts';
import { deviceDetails, deviceEnds } from '../../words/device-ends.ts';
import type { GivenReason, Reason } from '../../words/sentences.ts';
import { isOwnLog, oddModel } from '../own-log.ts';
import type { Receipt } from '../pipeline.ts';
import type { Session } from '../session.ts';
import type { MqttGatewayOptions } from './options.ts';

/** The topics that one device may publish to, and what is sent there: on to the pipeline. */
export class OwnTopics {
  readonly #options: Pick<MqttGatewayOptions, 'store' | 'pipeline' | 'note'>;
  /** The log topic that was its own when it was looked at last. */
  #ownLog: { readonly topic: string; readonly product: Product | undefined } | null = null;
  /** The odd model that was noted last: once for each connection, unless it changes. */
  #notedModel: string | null = null;

  constructor(options: Pick<MqttGatewayOptions, 'store' | 'pipeline' | 'note'>) {
    this.#options = options;
  }

  /**
   * The device's messages and its own log; a log topic is judged once, and again when the product
   * changes.
   */
  mayTake(session: Session, topic: string): boolean {
    if (topic === 'device') return true;
    const product = this.#options.store.directory.product(session.device.productId);
    if (topic === this.#ownLog?.topic && product === this.#ownLog.product) return true;
    const log = parseLogTopic(topic);
    if (!log || !isOwnLog(log, session)) return false;
    this.#ownLog = { topic, product };
    const odd = oddModel(log, session.device, product);
    if (odd !== null && odd !== this.#notedModel) {
      this.#notedModel = odd;
      this.#options.note(session, 'log_model', odd);
    }
    return true;
  }

  take(session: Session, topic: string, payload: Buffer, receipt: Receipt): void {
    if (topic === 'device') this.#options.pipeline.message(session, payload, receipt);
    else this.#options.pipeline.log(session, topic.slice('log/'.length), payload, receipt);
  }
}

/**
 * A PUBLISH to a topic that is not the device's own is noted (DESIGN 5). Returns why the connection
 * ends, or null when the message is acknowledged and dropped.
 */
export function judgeForeign(
  { note, strict }: Pick<MqttGatewayOptions, 'note' | 'strict'>,
  session: Session,
  written: string,
): Reason | null {
  const topic = written.slice(0, 120);
  const isForAnother = isTopicOfAnother(written, session.device.deviceId);
  note(session, isForAnother || parseLogTopic(written) ? 'foreign_publish' : 'unknown_topic', topic);
  return isForAnother || strict ? deviceEnds.say('foreign_topic', { topic }) : null;
}

/** `$client/{another device}`: nobody but the platform publishes there (DESIGN 5). */
function isTopicOfAnother(topic: string, own: DeviceId): boolean {
  const written = topic.toUpperCase();
  return written.startsWith('$CLIENT/') && written !== `$CLIENT/${own}`;
}

/** Whether a filter is the one topic that a device may subscribe to, in any case. */
export const isOwnFilter = (filter: string, own: DeviceId): boolean => filter.toUpperCase() === `$CLIENT/${own}`;

/**
 * The Keep Alive in seconds that a CONNECT is served with: as it was asked for. A device that asked
 * for none has an idle limit.
 */
export const servedKeepAlive = (seconds: number): number =>
  seconds === 0 ? Math.floor(limits.idleSecondsWithoutKeepAlive / 1.5) : seconds;

/** Shows a device whose Keep Alive is not that of SPEC 5.1. */
export function noteKeepAlive(note: MqttGatewayOptions['note'], session: Session, seconds: number): void {
  if (seconds < limits.keepAliveSecondsMin || seconds > limits.keepAliveSecondsMax)
    note(session, 'keep_alive_out_of_range', deviceDetails.say('keep_alive_seconds', { seconds }));
}

/** A packet that MQTT does not allow. */
export const protocolError = (error: string): Reason => deviceEnds.say('protocol_error', { error });

/** For staff, about a connection that failed. */
export function whyItBroke(error: Error): GivenReason {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ECONNRESET':
    case 'EPIPE':
      return deviceEnds.say('broke_off');
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return deviceEnds.say('device_not_reached');
    default:
      return { reason: error.message };
  }
}

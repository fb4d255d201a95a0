import { parseDeviceId } from '../platform/device-id.ts';
import { encodeEnvelope, parseEnvelope } from '../platform/envelope.ts';
import { eventTopics } from '../platform/event-topics.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { RateWindow } from '../runtime/rate-window.ts';
import type { DeviceNo, DirectoryStore, JournalStore, Seq } from '../store/index.ts';
import { ownSubjects } from '../words/audit-own.ts';
import { programRefusals, requestMistakes } from '../words/programs.ts';
import { type Reason, whyOf, withWhy } from '../words/sentences.ts';
import { type CommandAsked, readCommand, responseTopicIn } from './asked.ts';
import type { Asked } from './broker.ts';

/** Passes commands on to devices, and writes them down. */
export interface DeviceCommands {
  isOnline(deviceNo: DeviceNo): boolean;
  /** Resolves to whether the device's socket has taken it. */
  deliver(deviceNo: DeviceNo, payload: Uint8Array): Promise<boolean>;
  /** The id in the case in which the device logs in. */
  idAsWritten(deviceNo: DeviceNo): string;
  /** Now, as devices may be told; 0 while the box does not know the time. */
  stamp(): number;
  audit(entry: { program: string; about: Reason; outcome: 'done' | 'refused' }): Promise<void>;
}

interface CommandOptions {
  readonly devices: DeviceCommands;
  readonly store: DirectoryStore & JournalStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly newMid: () => string;
  readonly codesOfTheBox: ReadonlySet<number>;
  readonly onRefused: (program: string, why: Reason) => void;
}

/** A command whose device has not answered yet. */
interface Pending {
  readonly deviceNo: DeviceNo;
  readonly mid: string;
  readonly asked: Asked;
  readonly responseTopic: string;
  readonly over: AbortController;
}

const pendingMax = 200;
/** Of one program: each is written down. */
const perSecond = 10;
const programsMax = 200;
const { say } = requestMistakes;
const commandRefused = ({ code, params }: Reason): Reason =>
  programRefusals.say('command_refused', { ...params, mistake: code });
const readBytesMax = 256 << 10;

/**
 * Commands of programs for devices: an envelope as the cloud would send it (SPEC 2.5), to a device
 * that is connected now, since a door that opens an hour later is worse than one that stays shut.
 * The device's next message with the same `mid` is the answer.
 */
export class Commands implements Disposable {
  readonly #options: CommandOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #rates = new Map<string, RateWindow>();
  #readThrough: Seq = 0 as Seq;
  #isHearing = false;
  #isOver = false;

  constructor(options: CommandOptions) {
    this.#options = options;
    options.store.journal.onCommitted(() => {
      if (this.#pending.size > 0 && !this.#isHearing) void this.#hear();
    });
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    for (const { over } of this.#pending.values()) over.abort();
    this.#pending.clear();
  }

  async take(asked: Asked): Promise<void> {
    const { name, rights } = asked.program;
    if (!this.#rateOf(name).take(this.#options.clock.monotonic())) {
      // Not in the audit log: a flood of refusals would fill it.
      const why = say('too_fast', { max: perSecond });
      this.#options.onRefused(name, commandRefused(why));
      return this.#sayNo(asked, why);
    }
    const said = asked.topic.slice(eventTopics.command('').length);
    const found = this.#deviceOf(said);
    if (found === null) return this.#refuse(asked, said, say('no_such_device', { device: said.slice(0, 64) }));
    const read = readCommand(name, rights, asked.payload, this.#options.codesOfTheBox);
    const mistake = 'mistake' in read ? read.mistake : this.#whyNot(found, said);
    if ('mistake' in read || mistake !== null) return this.#refuse(asked, said, mistake!);
    const command = read.asked;
    const mid = this.#options.newMid();
    if (command.responseTopic !== null) this.#wait(asked, found, mid, command, command.responseTopic);
    await this.#send(asked, found, mid, command);
  }

  #whyNot(found: DeviceNo, device: string): Reason | null {
    if (!this.#options.devices.isOnline(found)) return say('device_not_connected', { device });
    return this.#pending.size >= pendingMax ? say('too_many_commands', { count: pendingMax }) : null;
  }

  async #send(asked: Asked, deviceNo: DeviceNo, mid: string, { action, data }: CommandAsked): Promise<void> {
    const { devices } = this.#options;
    const to = devices.idAsWritten(deviceNo);
    const time = devices.stamp();
    const payload = Buffer.from(encodeEnvelope({ mid, from: 'system', to, time, action, data }));
    await devices.deliver(deviceNo, payload);
    const about = ownSubjects.say('command', { device: to, action });
    await devices.audit({ program: asked.program.name, about, outcome: 'done' });
  }

  async #refuse(asked: Asked, said: string, why: Reason): Promise<void> {
    const { name } = asked.program;
    const { devices, onRefused } = this.#options;
    onRefused(name, commandRefused(why));
    const about = ownSubjects.say('command_not_passed', { ...withWhy(whyOf(why)), device: said.slice(0, 64) });
    await devices.audit({ program: name, about, outcome: 'refused' });
    await this.#sayNo(asked, why);
  }

  async #sayNo(asked: Asked, { reason }: Reason): Promise<void> {
    const topic = responseTopicIn(asked.program.name, asked.payload);
    if (topic !== null) await asked.answer(topic, JSON.stringify({ ok: false, why: reason }));
  }

  #wait(asked: Asked, deviceNo: DeviceNo, mid: string, { timeoutMs }: CommandAsked, responseTopic: string): void {
    const { clock, store } = this.#options;
    if (this.#pending.size === 0) this.#readThrough = store.journal.lastSeq;
    const over = new AbortController();
    this.#pending.set(keyOf(deviceNo, mid), { deviceNo, mid, asked, responseTopic, over });
    clock.sleep(timeoutMs, over.signal).then(
      () => {
        this.#pending.delete(keyOf(deviceNo, mid));
        const why = `the device did not answer within ${timeoutMs / 1000} s`;
        void asked.answer(responseTopic, JSON.stringify({ ok: false, mid, why }));
      },
      () => {},
    );
  }

  /**
   * Looks only while a command waits, one reading after the other: what is committed during one is
   * for the next.
   */
  async #hear(): Promise<void> {
    const { journal } = this.#options.store;
    this.#isHearing = true;
    try {
      while (this.#pending.size > 0 && this.#readThrough < journal.lastSeq) await this.#read();
    } catch (error) {
      if (!this.#isOver) throw error;
    } finally {
      this.#isHearing = false;
    }
  }

  /**
   * Only records of devices that a command waits for. Whoever answers one that comes meanwhile does
   * so behind it.
   */
  async #read(): Promise<void> {
    const deviceNos = new Set([...this.#pending.values()].map(({ deviceNo }) => deviceNo));
    const wanted = (deviceNo: DeviceNo, _: number, channel: string) => channel === 'device' && deviceNos.has(deviceNo);
    const options = { bytesMax: readBytesMax, deviceNos, wanted };
    const { records, through } = await this.#options.store.journal.read(this.#readThrough, options);
    // The first command after all others were answered may have gone further.
    if (through > this.#readThrough) this.#readThrough = through;
    for (const { deviceNo, payload } of records) {
      const envelope = parseEnvelope(payload);
      if (!envelope.ok) continue;
      const { mid, action, data } = envelope.value;
      const pending = this.#pending.get(keyOf(deviceNo, mid));
      if (!pending) continue;
      this.#pending.delete(keyOf(deviceNo, mid));
      pending.over.abort();
      void pending.asked.answer(pending.responseTopic, JSON.stringify({ ok: true, mid, action, data }));
    }
  }

  #rateOf(name: string): RateWindow {
    const known = this.#rates.get(name);
    if (known) return known;
    if (this.#rates.size >= programsMax) this.#rates.clear();
    const fresh = new RateWindow(perSecond, 1000);
    this.#rates.set(name, fresh);
    return fresh;
  }

  #deviceOf(text: string): DeviceNo | null {
    const id = parseDeviceId(text);
    return id.ok ? (this.#options.store.directory.device(id.value)?.deviceNo ?? null) : null;
  }
}

const keyOf = (deviceNo: DeviceNo, mid: string): string => `${deviceNo} ${mid}`;

import { defaultActions } from '../../../src/platform/actions.ts';
import { type DeviceId, serialOf } from '../../../src/platform/device-id.ts';
import type { Random, UnixMs } from '../../../src/runtime/clock.ts';
import { oneOf, type Person } from './people.ts';

/**
 * One record that a simulated device sent. `acknowledged`: by PUBACK, by 200 with code 0, or by an
 * answer envelope.
 */
export interface Said {
  readonly deviceId: DeviceId;
  readonly channel: 'device' | 'log';
  readonly topic: string;
  /** Unique for the device, also after restarts; empty for a log record. */
  readonly mid: string;
  readonly text: string;
  acknowledged: boolean;
}

const weights = ['fa', 'fa', 'fa', 'fa', 'fp', 'card', 'pass'] as const;

/** Makes what one terminal sends: punches at the door, and the log lines of its firmware. */
export class Speech {
  readonly #deviceId: DeviceId;
  readonly #model: string;
  readonly #people: readonly Person[];
  readonly #random: Random;
  readonly #boot: string;
  #count = 0;

  constructor(options: { deviceId: DeviceId; model: string; people: readonly Person[]; random: Random; now: UnixMs }) {
    this.#deviceId = options.deviceId;
    this.#model = options.model;
    this.#people = options.people;
    this.#random = options.random;
    this.#boot = options.now.toString(36);
  }

  activation(): Said {
    return this.#envelope(defaultActions.activate, {}, 0);
  }

  /** A check-in or, one time in five, an access record, sometimes of a person who was refused. */
  punch(now: UnixMs): Said {
    const person = oneOf(this.#people, this.#random);
    const time = Math.floor(now / 1000);
    const type = oneOf(weights, this.#random);
    if (this.#random() < 0.2) {
      const passed = this.#random() < 0.9;
      const record = {
        id: String(this.#count + 1),
        door_id: `door-${serialOf(this.#deviceId)}`,
        ...(passed ? { ext_id: person.extId } : {}),
        check_type: type,
        check_time: time,
        check_result: passed ? 0 : 2,
      };
      return this.#envelope(defaultActions.access_report, { records: [record] }, time);
    }
    const record = {
      id: String(this.#count + 1),
      ext_id: person.extId,
      check_type: type,
      check_time: time,
      check_data: {
        device_name: serialOf(this.#deviceId),
        employee_num: person.employeeNum,
        member_name: person.name,
        dept_name: person.department,
      },
    };
    return this.#envelope(defaultActions.checkin_report, { records: [record] }, time);
  }

  log(now: UnixMs): Said {
    const number = ++this.#count;
    const line = {
      n: number,
      boot: this.#boot,
      time: Math.floor(now / 1000),
      level: this.#random() < 0.05 ? 'warn' : 'info',
      log: oneOf(
        [
          `camera: frame ${number} in ${20 + Math.floor(this.#random() * 15)} ms`,
          `match: score 0.${90 + Math.floor(this.#random() * 9)} in ${40 + Math.floor(this.#random() * 90)} ms`,
          `door: lock released for ${3 + Math.floor(this.#random() * 3)} s`,
          `net: rtt ${2 + Math.floor(this.#random() * 40)} ms`,
        ],
        this.#random,
      ),
    };
    return {
      deviceId: this.#deviceId,
      channel: 'log',
      topic: `log/${this.#model}/${serialOf(this.#deviceId)}`,
      mid: '',
      text: JSON.stringify(line),
      acknowledged: false,
    };
  }

  #envelope(action: number, data: object, time: number): Said {
    const mid = `${this.#boot}-${++this.#count}`;
    const text = JSON.stringify({ mid, from: this.#deviceId, to: 'system', time, action, data });
    return { deviceId: this.#deviceId, channel: 'device', topic: 'device', mid, text, acknowledged: false };
  }
}

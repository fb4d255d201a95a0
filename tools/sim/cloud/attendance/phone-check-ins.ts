import type { CheckInType } from '../../../../src/platform/reports.ts';
import type { UnixSeconds } from '../../../../src/runtime/clock.ts';
import { checkData } from './check-data.ts';
import type { Employee } from './organization.ts';
import { mixed } from './record-sequence.ts';
import type { HeldCheckIn } from './records.ts';

/** Check-ins of phones and other places (SPEC 4.8, "also covers phone wifi, gps and field"). */
const usual: readonly CheckInType[] = [
  'wifi',
  'wifi',
  'wifi',
  'wifi',
  'gps',
  'gps',
  'gps',
  'out_work',
  'out_work',
  'reissue',
  'flexible',
  'app_scan',
  'fa',
];

export interface PhoneCheckIns {
  readonly count: number;
  /** Default: all kinds, most of them wifi. */
  readonly types?: readonly CheckInType[];
  /** The check time of the first and of the last one. */
  readonly from: UnixSeconds;
  readonly to: UnixSeconds;
}

const places = ['Head office', 'South gate', 'Warehouse 2', 'Sales office'];
const phones = ['P40', 'M12', 'X9', 'A3'];
const late = 50;
const lateSeconds = 2 * 86_400;

/**
 * Makes check-ins by their number: the same number gives the same person, type and time. One in
 * fifty is reported two days late, so that the order of reports differs from the order of times. An
 * `fa` among them comes from a terminal at another place.
 */
export function phoneCheckIns(
  { count, types = usual, from, to }: PhoneCheckIns,
  people: readonly Employee[],
  salt: number,
): (offset: number) => HeldCheckIn {
  // As the organization is now: a check-in does not change later.
  const then = people.map(person => ({ ...person, department: { ...person.department } }));
  return offset => {
    const chance = mixed(offset, salt);
    const person = then[chance % then.length]!;
    const type = types[mixed(offset, salt + 1) % types.length]!;
    const phone = mixed(Number(person.id), 3);
    const place = places[phone % places.length]!;
    const time = from + Math.floor(((to - from) * offset) / Math.max(1, count - 1));
    return {
      userId: person.id,
      terminal: terminalOf(type, phone),
      type,
      time: offset % late === late - 1 ? time - lateSeconds : time,
      data: checkData(type, person, {
        device_name: place,
        cmd: '',
        name: place,
        location: `${place}, ${1 + (phone % 90)} Canal Road`,
        lat: (31 + (phone % 9000) / 10_000).toFixed(6),
        lgt: (121 + (phone % 7000) / 10_000).toFixed(6),
        phone_model: phones[phone % phones.length],
        mac_address: `02:00:${hex(phone >>> 24)}:${hex(phone >>> 16)}:${hex(phone >>> 8)}:${hex(phone)}`,
        ssid: `${place} wifi`,
        photo: `photo-${offset}.jpg`,
        comment: 'at a customer',
      }),
    };
  };
}

const hex = (value: number): string => (value & 255).toString(16).padStart(2, '0');

/** SPEC 2.15, terminal_id. */
function terminalOf(type: CheckInType, phone: number): string {
  if (type === 'reissue') return 'apply';
  if (type === 'fa' || type === 'app_scan') return `ELSEWHERE${phone % 3}`;
  return type === 'flexible' ? '' : `phone-${phone.toString(16)}`;
}

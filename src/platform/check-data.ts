import type { AccessType, CheckInType } from './reports.ts';

/** Facts that the box knows about a punch beyond the device's message. */
export interface CheckInFacts {
  /** Empty: not named here. */
  readonly deviceName: string;
  readonly serialNumber: string;
  readonly person: {
    readonly employeeNum: string;
    readonly name: string;
    readonly departmentId: string;
    readonly departmentName: string;
  };
}

type Said = Readonly<Record<string, unknown>>;

const text = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

const personKeys = ({ person }: CheckInFacts) => ({
  employee_num: person.employeeNum,
  dept_name: person.departmentName,
  member_name: person.name,
  dept_id: person.departmentId,
});

const deviceName = (said: Said, { deviceName: name, serialNumber }: Omit<CheckInFacts, 'person'>): string =>
  name || text(said.device_name) || serialNumber;

const atTerminal = (said: Said, facts: CheckInFacts) => ({
  device_name: deviceName(said, facts),
  employee_num: facts.person.employeeNum,
  dept_name: facts.person.departmentName,
  cmd: text(said.cmd),
  member_name: facts.person.name,
  dept_id: facts.person.departmentId,
});

const located = (said: Said, facts: CheckInFacts) => ({
  ...personKeys(facts),
  lat: text(said.lat),
  // `lgt` is how SPEC spells it; devices also write the usual ones.
  lgt: text(said.lgt ?? said.lng ?? said.lon),
  name: text(said.name),
  location: text(said.location),
  phone_model: text(said.phone_model),
});

/**
 * The `check_data` of a check-in with exactly the keys that SPEC 2.15 has for its type, all text:
 * the person from the organization, the rest as the device sent it.
 */
export function checkInData(type: CheckInType, said: Said, facts: CheckInFacts): Record<string, string> {
  switch (type) {
    case 'fa':
    case 'fp':
    case 'pass':
    case 'card':
      return atTerminal(said, facts);
    case 'gps':
      return located(said, facts);
    case 'wifi':
      return {
        ...personKeys(facts),
        name: text(said.name),
        mac_address: text(said.mac_address),
        ssid: text(said.ssid),
        phone_model: text(said.phone_model),
      };
    case 'out_work':
      return { ...located(said, facts), photo: text(said.photo), comment: text(said.comment) };
    case 'app_scan':
    case 'reissue':
    case 'flexible':
      return personKeys(facts);
  }
}

/**
 * The `check_data` of an access record: as of a check-in at a terminal, without the person if none
 * is known (SPEC 2.15 leaves it open).
 */
export const accessData = (
  _type: AccessType,
  said: Said,
  facts: Omit<CheckInFacts, 'person'> & { person: CheckInFacts['person'] | null },
): Record<string, string> =>
  facts.person
    ? atTerminal(said, { ...facts, person: facts.person })
    : { device_name: deviceName(said, facts), cmd: text(said.cmd) };

/**
 * Where a check-in or a passage of the cloud happened, as its data names it: the terminal, else the
 * place of the phone. Empty: it names neither.
 */
export const placeNamed = (data: Said): string => text(data.device_name) || text(data.name) || text(data.location);

const phoneTypes: ReadonlySet<CheckInType> = new Set(['gps', 'wifi', 'out_work']);

/**
 * SPEC 2.15, `terminal_id`: `apply` for supplement cards, the phone where the report names it, else
 * null: the device's serial number. At most 64 characters.
 */
export function terminalIdOf(type: CheckInType, said: Said): string | null {
  if (type === 'reissue') return 'apply';
  if (!phoneTypes.has(type)) return null;
  return text(said.terminal_id ?? said.phone_id).slice(0, 64) || null;
}

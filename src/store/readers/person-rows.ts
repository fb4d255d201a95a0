import { mobileOf } from '../people/mobile.ts';
import type { PersonRow } from '../port/people.ts';
import { department, employee } from '../schema/people.ts';
import type { Seal } from '../schema/sealing.ts';
import { orEmpty } from './columns.ts';

export const personColumns = {
  id: employee.id,
  departmentId: employee.departmentId,
  extId: orEmpty(employee.extId),
  name: employee.name,
  sealedMobile: employee.sealedMobile,
  employeeNum: employee.employeeNum,
  title: employee.title,
  department: department.name,
  departmentExtId: orEmpty(department.extId),
  missingSince: employee.missingSince,
};

type PersonColumns = Pick<
  typeof employee.$inferSelect,
  'id' | 'departmentId' | 'name' | 'sealedMobile' | 'employeeNum' | 'title'
> &
  Pick<PersonRow, 'extId' | 'department' | 'departmentExtId' | 'missingSince'>;

/**
 * Opens the mobile number when somebody reads it: most of those who are counted show none. One
 * getter for all of them: with one each, V8 keeps a dictionary for each person.
 */
class ReadPerson implements PersonRow {
  static readonly #mobile = {
    enumerable: true,
    get(this: ReadPerson): string {
      return mobileOf(this.#seal, this.#row);
    },
  };
  readonly extId: string;
  readonly name: string;
  readonly employeeNum: string;
  readonly title: string;
  readonly department: string;
  readonly departmentExtId: string;
  readonly missingSince: PersonRow['missingSince'];
  readonly place: PersonRow['place'];
  /** Own property, which copies and other threads get. */
  declare readonly mobile: string;
  readonly #seal: Seal;
  readonly #row: PersonColumns;

  constructor(seal: Seal, row: PersonColumns) {
    this.#seal = seal;
    this.#row = row;
    this.extId = row.extId;
    this.name = row.name;
    this.employeeNum = row.employeeNum;
    this.title = row.title;
    this.department = row.department;
    this.departmentExtId = row.departmentExtId;
    this.missingSince = row.missingSince;
    this.place = { department: row.departmentId, id: row.id };
    Object.defineProperty(this, 'mobile', ReadPerson.#mobile);
  }
}

export const personRow =
  (seal: Seal) =>
  (row: PersonColumns): PersonRow =>
    new ReadPerson(seal, row);

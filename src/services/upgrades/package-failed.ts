/**
 * - `bad_record`: the record names no package that could be fetched and checked.
 * - `too_large`, `no_room`: refused before anything is fetched, or as soon as it shows.
 * - `unavailable`: the server responds with a status that is no package.
 * - `interrupted`: the connection broke; what came is kept, and the next try continues there.
 * - `wrong_size`, `wrong_checksum`: another package than the record names; what came is deleted.
 */
export type PackageFault =
  | 'bad_record'
  | 'too_large'
  | 'no_room'
  | 'unavailable'
  | 'interrupted'
  | 'wrong_size'
  | 'wrong_checksum';

interface PackageFacts {
  /** `app_code version`, as a person calls it. */
  readonly record: string;
  /** Of sizes and room, bytes; of checksums, hex in lower case; of an answer, the HTTP status. */
  readonly expected: string;
  readonly found: string;
}

const messages: Readonly<Record<PackageFault, string>> = {
  bad_record: 'the record cannot be mirrored',
  too_large: 'the package is larger than is allowed',
  no_room: 'the disk has no room for the package',
  unavailable: 'the server does not give the package',
  interrupted: 'the line broke while the package was fetched',
  wrong_size: 'the package has another size than the record',
  wrong_checksum: 'the package has another checksum than the record',
};

/**
 * A package cannot be had now. The message names the record, what was expected and what was found.
 */
export class PackageFailed extends Error {
  readonly fault: PackageFault;
  readonly facts: PackageFacts;

  constructor(fault: PackageFault, facts: PackageFacts, cause?: unknown) {
    super(`${facts.record}: ${messages[fault]}: expected ${facts.expected}, found ${facts.found}`, { cause });
    this.name = 'PackageFailed';
    this.fault = fault;
    this.facts = facts;
  }
}

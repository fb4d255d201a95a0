/** One problem in a file or an environment variable, in words for a person. */
export interface Complaint {
  /** `gatehouse.yaml:12:5`, or the name of the variable. */
  readonly where: string;
  readonly line: number;
  readonly column: number;
  /** `listen.mqtts`, `employees[3].department.ext_id`; empty for the file as a whole. */
  readonly path: string;
  /** The value, if it is short and no secret. */
  readonly value?: string;
  /** Fault, and what to write instead. */
  readonly reason: string;
}

/** `gatehouse.yaml:12:5 listen.mqtts "x": not an address: write host:port, or "off"` */
function complaintText({ where, path, value, reason }: Complaint): string {
  const named = [where, path, value === undefined ? '' : JSON.stringify(value)].filter(Boolean).join(' ');
  return `${named}: ${reason}`;
}

/**
 * A config or site file was refused. Holds every complaint, one line each, in the order of the
 * file.
 */
export class FileRefused extends Error {
  readonly complaints: readonly Complaint[];
  constructor(complaints: readonly Complaint[]) {
    const sorted = [...complaints].sort((a, b) => a.line - b.line || a.column - b.column);
    super(sorted.map(complaintText).join('\n'));
    this.name = 'FileRefused';
    this.complaints = sorted;
  }
}

export type PathStep = string | number;

export const pathText = (path: readonly PathStep[]): string =>
  path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text ? `${text}.${step}` : step),
    '',
  );

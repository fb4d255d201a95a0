/** The cloud answered, with a code that says no. */
export class CloudRefused extends Error {
  readonly code: number;
  /** The same call would get the same answer. */
  readonly isFinal: boolean;

  constructor(code: number, message: string, { isFinal }: { readonly isFinal: boolean }) {
    super(message);
    this.name = 'CloudRefused';
    this.code = code;
    this.isFinal = isFinal;
  }
}

/** A box's store cannot be moved; the message says what is wrong and what to do. */
export class MoveRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MoveRefused';
  }
}

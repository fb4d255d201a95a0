import type { CommitWaiter, StoreError } from '../store/index.ts';
import type { PendingActivation } from './activation.ts';

/** An `activate`: after the commit the box issues a key, or the cloud answers. */
export class ActivationMessage implements CommitWaiter {
  readonly #receipt: CommitWaiter;
  readonly #answer: PendingActivation['answer'];
  readonly #send: (data: object) => void;

  constructor(receipt: CommitWaiter, answer: PendingActivation['answer'], send: (data: object) => void) {
    this.#receipt = receipt;
    this.#answer = answer;
    this.#send = send;
  }

  onCommitted(error: StoreError | null): void {
    this.#receipt.onCommitted(error);
    if (!error) void this.#answerLater();
  }

  async #answerLater(): Promise<void> {
    const data = await this.#answer();
    if (data) this.#send(data);
  }
}

import type { Said } from '../support/terminal.ts';
import type { DeviceNotes, Promised } from './recording.ts';

interface Speaker {
  readonly deviceId: string;
  readonly said: readonly Said[];
}

/** Notes what was acknowledged, and how many requests the disk had had by then. */
export class Notebook {
  readonly #position: () => number;
  readonly #speakers: Speaker[] = [];
  readonly #positions = new Map<Said, number>();
  readonly promises: Promised[] = [];
  from = 0;

  constructor(position: () => number) {
    this.#position = position;
  }

  /** What comes before was the preparation: no moment is drawn from it. */
  begin(): void {
    this.from = this.#position();
  }

  listensTo(speaker: Speaker): void {
    this.#speakers.push(speaker);
  }

  /** Call it in the very turn in which the acknowledgement arrived. */
  acknowledged(said: Said): void {
    this.#positions.set(said, this.#position());
  }

  promised(what: string, value: string): void {
    this.promises.push({ what, value, position: this.#position() });
  }

  devices(): DeviceNotes[] {
    return this.#speakers.map(({ deviceId, said }) => ({
      deviceId,
      sent: said.map(one => ({ channel: one.channel, text: one.text, position: this.#positions.get(one) ?? null })),
    }));
  }
}

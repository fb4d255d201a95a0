/** Numbers of four bytes each, in a list that grows. */
export class Column {
  #values = new Uint32Array(8);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Uint32Array(2 * this.length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length++] = value;
  }

  at(place: number): number {
    return this.#values[place]!;
  }

  set(place: number, value: number): void {
    this.#values[place] = value;
  }

  cutTo(length: number): void {
    this.length = Math.min(this.length, length);
  }

  get last(): number {
    return this.length === 0 ? -1 : this.#values[this.length - 1]!;
  }
}

/** FNV-1a, never 0: 0 stands for no text. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0 || 1;
}

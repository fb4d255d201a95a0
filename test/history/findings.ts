/** The rules, as findings and README.md name them. */
export type Rule =
  | 'lost'
  | 'duplicate'
  | 'out of order'
  | 'unknown'
  | 'changed'
  | 'unlike'
  | 'returned'
  | 'gap'
  | 'repeated'
  | 'late'
  | 'unanswered'
  | 'unjudged'
  | 'malformed';

export interface Finding {
  readonly rule: Rule;
  readonly says: string;
}

const keptMax = 100;

/** Of one fault in many records the first hundred are enough. */
export class Findings {
  readonly #kept = new Map<string, Finding>();
  count = 0;

  add(rule: Rule, says: string): void {
    this.count++;
    if (this.#kept.size < keptMax) this.#kept.set(`${rule}: ${says}`, { rule, says });
  }

  all(): readonly Finding[] {
    return [...this.#kept.values()];
  }
}

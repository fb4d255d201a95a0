/** One field of a list, and the columns that may hold it. */
export interface Field {
  /** The English name first, and the Chinese one of the templates last. */
  readonly names: readonly string[];
  /** Other headers that mean the field, as `bareName` writes them, the surest first. */
  readonly guesses?: readonly string[];
  readonly needed: boolean;
  /** In characters. */
  readonly max: number;
  /** Longer text is cut, with a warning. */
  readonly isCut?: boolean;
  /** Not in the template. */
  readonly isRare?: boolean;
  readonly kind?: 'date' | 'digits' | 'id' | 'mobile' | 'minutes' | 'time';
}

/** Which of the processes of a region does what only one may do at a time. */
export interface Turn {
  /**
   * Hot. By the machine's monotonic clock, so that a process which hung finds out by itself that
   * its turn is over, before another may begin.
   */
  readonly isMine: boolean;
  /** Called when the turn begins, and when it is over. */
  onChange(listener: (isMine: boolean) => void): void;
}

/** Which of the processes of a region does what only one may do at a time. */
export interface Turn {
  /**
   * Hot. By the machine's monotonic clock, so that a process which hung finds out by itself that
   * its turn is over, before another may begin.
   */
  readonly isMine: boolean;
  /**
   * Of the turn to forward: whether the line of the process that has it was up when it last said
   * so, two seconds ago.
   */
  readonly isUpElsewhere: boolean;
  /** For those that stand by, while the turn is this process's. */
  say(isUp: boolean): void;
  /** Called when the turn begins, and when it is over. */
  onChange(listener: (isMine: boolean) => void): void;
}

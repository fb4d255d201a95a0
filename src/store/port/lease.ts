/** The right to do what one process of a region may do at a time. */
export interface Lease {
  /**
   * Hot. By the machine's monotonic clock, so that a process which hung finds out by itself that
   * its lease has expired, before another may take it.
   */
  readonly isMine: boolean;
  /**
   * Of the lease to forward: whether the uplink of its holder was up when the holder last said so,
   * two seconds ago.
   */
  readonly isUpElsewhere: boolean;
  /** Tells those that stand by whether the uplink is up, while the lease is this process's. */
  tellUp(isUp: boolean): void;
  /** Called when this process has taken the lease, and when it has lost it. */
  onChange(listener: (isMine: boolean) => void): void;
}

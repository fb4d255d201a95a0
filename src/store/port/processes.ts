/** Messages between the processes of a region: mostly a hint to read the database. */
export interface Processes {
  /**
   * Tells all other processes, which hear it within milliseconds, in the order in which it was
   * told; what was committed before is there for them. At most 7,500 bytes; RangeError for more.
   * Whoever is not connected at that moment hears nothing, so nothing may depend on it alone.
   */
  tell(topic: ProcessTopic, text: string): Promise<void>;
  /** `from`: a number that no other process has, and no later start of the same one. */
  onMessage(topic: ProcessTopic, listener: (text: string, from: number) => void): void;
}

export type ProcessTopic = 'push' | 'alerts' | 'alert-facts' | 'people';

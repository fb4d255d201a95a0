/** The state of a box, in the words of its LED, its status line and its manual. */
export type BoxState =
  | 'starting'
  | 'setting up'
  | 'ok'
  | 'cloud away'
  | 'needs attention'
  | 'updating'
  | 'pull the plug';

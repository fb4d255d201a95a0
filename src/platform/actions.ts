/** CONTRACT section 4: the messages that the box itself understands. */
export type ActionName =
  | 'activate'
  | 'time_sync'
  | 'checkin_report'
  | 'access_report'
  | 'feature_report'
  | 'person_sync'
  | 'person_sync_result';

export const defaultActions: Readonly<Record<ActionName, number>> = {
  activate: 1001,
  time_sync: 1002,
  checkin_report: 2001,
  access_report: 2002,
  feature_report: 2003,
  person_sync: 2101,
  person_sync_result: 2102,
};

/** Which code means what at this site: the config key `actions` renames each. */
export interface ActionTable {
  codeOf(name: ActionName): number;
  /** Undefined for a code that is passed on unread. */
  nameOf(code: number | null): ActionName | undefined;
}

export function actionTable(codes: Readonly<Record<ActionName, number>>): ActionTable {
  const names = new Map<number | null, ActionName>();
  for (const [name, code] of Object.entries(codes) as [ActionName, number][]) names.set(code, name);
  return { codeOf: name => codes[name], nameOf: code => names.get(code) };
}

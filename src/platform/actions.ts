/** CONTRACT section 4: the messages that the box itself understands, with their codes. */
export const defaultActions = {
  activate: 1001,
  time_sync: 1002,
  checkin_report: 2001,
  access_report: 2002,
  feature_report: 2003,
  person_sync: 2101,
  person_sync_result: 2102,
} as const;
export type ActionName = keyof typeof defaultActions;

/**
 * Whether the box answers such a message of a device, where the site does not leave that to the
 * cloud: every one that a device sends, but for `activate`, of which the cloud is asked first.
 */
export const isAnsweredHere = (name: ActionName): boolean => name !== 'activate' && name !== 'person_sync';

/**
 * Setting of an action (config key `actions`): its code; `off` if no message of devices has this
 * meaning here; or a code and who answers it.
 */
type ActionSetting = number | 'off' | { readonly code: number; readonly answered_by: 'box' | 'cloud' };
export type ActionSettings = Readonly<Record<ActionName, ActionSetting>>;

/** Which code means what at this site. */
export interface ActionTable {
  /** Code of an action; null if it is off. */
  codeOf(name: ActionName): number | null;
  /** Undefined for a code that is passed on unread. */
  nameOf(code: number | null): ActionName | undefined;
  /** The box keeps and reads these messages, and the cloud answers them. */
  isAnsweredByCloud(name: ActionName): boolean;
}

export const codeIn = (setting: ActionSetting): number | null =>
  setting === 'off' ? null : typeof setting === 'number' ? setting : setting.code;

export function actionTable(settings: ActionSettings): ActionTable {
  const names = new Map<number | null, ActionName>();
  const byCloud = new Set<ActionName>();
  for (const [name, setting] of Object.entries(settings) as [ActionName, ActionSetting][]) {
    const code = codeIn(setting);
    if (code !== null) names.set(code, name);
    if (typeof setting === 'object' && setting.answered_by === 'cloud') byCloud.add(name);
  }
  return {
    codeOf: name => codeIn(settings[name]),
    nameOf: code => names.get(code),
    isAnsweredByCloud: name => byCloud.has(name),
  };
}

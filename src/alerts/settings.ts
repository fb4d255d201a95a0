import type { Config } from '../config/index.ts';
import {
  type AlertChannel,
  type AlertKind,
  type AlertRule,
  type AlertRules,
  alertChannels,
  alertKinds,
  alertKindTable,
  severityByDefault,
} from '../platform/alerts.ts';

/**
 * Settings of a site: in the config under `alerts`, or on the page for keys that the config omits.
 */
export type AlertSettings = Config['alerts'];

const waitSecondsByDefault = 60;

/** The settings in force: what `fixed` says stands, the rest is as it was `chosen` on the page. */
export const inForce = (fixed: AlertSettings, chosen: AlertSettings): AlertSettings => ({
  ...chosen,
  ...Object.fromEntries(Object.entries(fixed).filter(([, value]) => value !== undefined)),
  rules: { ...chosen.rules, ...definedIn(fixed.rules ?? {}) },
});

const definedIn = <T extends object>(some: T): Partial<T> =>
  Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined)) as Partial<T>;

export const waitMsOf = ({ wait_seconds: seconds = waitSecondsByDefault }: AlertSettings): number => seconds * 1000;

/** Each kind's rule: what the settings say, and the rest by default. */
export function rulesOf({ rules = {} }: AlertSettings): AlertRules {
  const ofKind = (kind: AlertKind): AlertRule => {
    const { at, minutes } = alertKindTable[kind];
    return { severity: severityByDefault(kind), at, minutes, ...definedIn(rules[kind] ?? {}) };
  };
  return Object.fromEntries(alertKinds.map(kind => [kind, ofKind(kind)])) as unknown as AlertRules;
}

export const channelsIn = (settings: AlertSettings): AlertChannel[] =>
  alertChannels.filter(name => settings[name] !== undefined);

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
export interface AlertSettings {
  /** Quiet hours, such as `22:00-06:30`, by the clock of the site; empty for none. */
  readonly quiet_hours?: string | undefined;
  /** How long an alert waits for others of its kind. */
  readonly wait_seconds?: number | undefined;
  readonly rules?: { readonly [Kind in AlertKind]?: RuleSettings | undefined } | undefined;
  readonly mail?: MailChannelSettings | undefined;
  readonly webhook?: HttpChannelSettings | undefined;
  readonly dingtalk?: HttpChannelSettings | undefined;
  readonly feishu?: HttpChannelSettings | undefined;
  readonly wecom?: { readonly url: string } | undefined;
  readonly push?: PushChannelSettings | undefined;
  readonly sms?: ShortMessageChannelSettings | undefined;
}

type RuleSettings = { readonly [Key in keyof AlertRule]?: AlertRule[Key] | undefined };

interface MailChannelSettings {
  readonly host: string;
  readonly port: number;
  readonly security: 'tls' | 'starttls' | 'none';
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly from: string;
  readonly to: readonly string[];
}

interface HttpChannelSettings {
  readonly url: string;
  readonly secret?: string | undefined;
}

/** The platform's own push (SPEC 4.7). */
export interface PushChannelSettings {
  readonly app_id: string;
  readonly template: string;
  readonly tags: readonly string[];
}

export interface ShortMessageChannelSettings {
  readonly app_id: string;
  readonly template: string;
  readonly region: string;
  readonly mobiles: readonly string[];
}

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

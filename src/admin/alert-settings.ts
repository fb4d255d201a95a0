import { z } from '@hono/zod-openapi';
import { type AlertSettings, type Alerts, inForce, rulesOf } from '../alerts/index.ts';
import { alertSettings, withoutSecrets } from '../config/index.ts';
import { alertKinds, alertSeverities } from '../platform/alerts.ts';
import { byCommand, operation, type Report, type Running } from './operation.ts';
import { readSettings, secretAgain, settingsSent } from './settings-sent.ts';

const settings = z.record(z.string(), z.unknown());
const rule = z.object({
  severity: z.enum([...alertSeverities, 'off']),
  at: z.number().nullable().describe('The threshold; null: the kind has none'),
  minutes: z.number().describe('For how long it must be so'),
});

const settingsReport = z.object({
  chosen: settings.describe('As under `alerts` in the config; null in the place of a secret'),
  in_force: settings.describe('The same with what the config says'),
  fixed: z
    .array(z.string())
    .describe('What the config says, and cannot be changed here: `mail`, `quiet_hours`, `rules.silent`'),
  rules: z.record(z.string(), rule).describe('Each kind with the rule that is in force'),
});
type AlertSettingsReport = Report<typeof settingsReport>;

export const alertSettingOperations = {
  settings: operation({
    method: 'get',
    path: '/alerts/settings',
    role: 'admin',
    summary: 'When alerts open and where they are sent, without the secrets',
    returns: 'The settings',
    answer: settingsReport,
  }),
  choose: operation({
    method: 'put',
    path: '/alerts/settings',
    role: 'admin',
    summary: 'Replaces the settings that were chosen here. What the config says stays in force',
    body: z.object({
      settings: settingsSent('alerts'),
    }),
    returns: 'The settings',
    answer: settingsReport,
    failures: { 400: secretAgain, 422: 'A value is wrong; the detail names it' },
  }),
};
type AlertSettingAdmin = Running<typeof alertSettingOperations>;

export const alertSettingAdmin = (alerts: Pick<Alerts, 'settings' | 'choose'>): AlertSettingAdmin => ({
  settings: async () => reportOf(alerts),
  async choose({ settings: sent }, call = byCommand) {
    const { chosen } = alerts.settings();
    const read = readSettings(alertSettings, sent, chosen);
    call.subject(Object.keys(read).join(', '));
    await alerts.choose(read);
    return reportOf(alerts);
  },
});

function reportOf(alerts: Pick<Alerts, 'settings'>): AlertSettingsReport {
  const { fixed, chosen } = alerts.settings();
  const whole = inForce(fixed, chosen);
  return {
    chosen: withoutSecrets(alertSettings, { ...chosen }),
    in_force: withoutSecrets(alertSettings, { ...whole }),
    fixed: fixedKeys(fixed),
    rules: rulesOf(whole),
  };
}

const fixedKeys = ({ rules = {}, ...others }: AlertSettings): string[] => [
  ...Object.entries(others).flatMap(([key, value]) => (value === undefined ? [] : [key])),
  ...alertKinds.filter(kind => rules[kind] !== undefined).map(kind => `rules.${kind}`),
];

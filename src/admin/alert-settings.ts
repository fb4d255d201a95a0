import { z } from '@hono/zod-openapi';
import { type AlertSettings, type Alerts, inForce, rulesOf } from '../alerts/index.ts';
import { alertSettings, withoutSecrets } from '../config/index.ts';
import { alertKinds, alertSeverities } from '../platform/alerts.ts';
import { auditSubjects } from '../words/audit.ts';
import { described } from '../words/described.ts';
import { byCommand, operation, type Report, type Running } from './operation.ts';
import { readSettings, secretAgain, settingsSent } from './settings-sent.ts';

const settings = z.record(z.string(), z.unknown());
const rule = z.object({
  severity: z.enum([...alertSeverities, 'off']),
  at: z.number().nullable().describe(described('The threshold; null: the kind has none', '阈值；null：此类没有')),
  minutes: z.number().describe(described('For how long it must be so', '须持续的时长')),
});

const settingsReport = z.object({
  chosen: settings.describe(
    described(
      'As under `alerts` in the config; null in the place of a secret',
      '与配置文件中的 `alerts` 相同；密钥处为 null',
    ),
  ),
  in_force: settings.describe(described('The same with what the config says', '加上配置文件所写之后的结果')),
  fixed: z
    .array(z.string())
    .describe(
      described(
        'What the config says, and cannot be changed here: `mail`, `quiet_hours`, `rules.silent`',
        '配置文件所写、不能在此修改的：`mail`、`quiet_hours`、`rules.silent`',
      ),
    ),
  rules: z
    .record(z.string(), rule)
    .describe(described('Each kind with the rule that is in force', '每种告警及其生效的条件')),
});
type AlertSettingsReport = Report<typeof settingsReport>;

export const alertSettingOperations = {
  settings: operation({
    method: 'get',
    path: '/alerts/settings',
    role: 'admin',
    summary: described(
      'When alerts open and where they are sent, without the secrets',
      '告警的触发条件和发送渠道，不含密钥',
    ),
    returns: described('The settings', '设置'),
    answer: settingsReport,
  }),
  choose: operation({
    method: 'put',
    path: '/alerts/settings',
    role: 'admin',
    audited: described('changed the alerts', '修改告警设置'),
    summary: described(
      'Replaces the settings that were chosen here. What the config says stays in force',
      '替换在网页上所做的设置；配置文件中的设置不变',
    ),
    body: z.object({
      settings: settingsSent('alerts'),
    }),
    returns: described('The settings', '设置'),
    answer: settingsReport,
    failures: {
      400: secretAgain,
      422: described('A value is wrong; the detail names it', '某个值有误；详情中指出是哪个'),
    },
  }),
};
type AlertSettingAdmin = Running<typeof alertSettingOperations>;

export const alertSettingAdmin = (alerts: Pick<Alerts, 'settings' | 'choose'>): AlertSettingAdmin => ({
  settings: async () => reportOf(alerts),
  async choose({ settings: sent }, call = byCommand) {
    const { chosen } = alerts.settings();
    const read = readSettings(alertSettings, sent, chosen);
    call.subject(auditSubjects.say('settings_of', { keys: Object.keys(read).join(', ') }));
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

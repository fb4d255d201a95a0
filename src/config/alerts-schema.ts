import { z } from 'zod';
import { type AlertKind, alertKinds, alertKindTable, alertSeverities, severityByDefault } from '../platform/alerts.ts';
import { documented, oneOf, pattern, text, url, whole } from './kinds.ts';

const severity = oneOf([...alertSeverities, 'off']);
const minutes = whole(0, 7 * 24 * 60, 'minutes');

function ruleOf(kind: AlertKind) {
  const rule = alertKindTable[kind];
  const keys = {
    severity: documented(
      severity.optional(),
      `How bad it is; off: no such alert. By default ${severityByDefault(kind)}`,
    ),
    minutes: documented(minutes.optional(), `For how many minutes it must be so. By default ${rule.minutes}`),
    at: documented(whole(0, 1_000_000, rule.unit).optional(), `The threshold, in ${rule.unit}. By default ${rule.at}`),
  };
  const { at, ...without } = keys;
  const shape = rule.at === null ? without : { ...without, at };
  return documented(z.strictObject(shape as typeof keys).optional(), `Opens when ${rule.opens}`);
}

const rules = z.strictObject(
  Object.fromEntries(alertKinds.map(kind => [kind, ruleOf(kind)])) as Record<AlertKind, ReturnType<typeof ruleOf>>,
);

export const mailAddress = () =>
  pattern(/^[^\s@<>,;"]{1,64}@[^\s@<>,;"]{1,190}$/, 'a mail address such as box@example.com', 255);

const robot = (maker: string) => ({
  url: documented(url('https', 'http'), `Its address as ${maker} shows it, with the token`, {
    secret: true,
    kind: 'https://…',
  }),
});

const robotSecret = {
  secret: documented(text('the secret').optional(), 'Its secret, where "signature" is chosen as its protection', {
    ...{ secret: true, besideSecret: true },
  }),
};

const template = documented(
  text('a template', 64),
  'Its template, of message_templates in the site file or of the cloud; it is given title, text and link',
);

/** The config key `alerts`. A channel that is written there cannot be changed on the page. */
export const alerts = z.strictObject({
  quiet_hours: documented(
    pattern(/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/, 'hours such as 22:00-06:30').optional(),
    'Hours of the site in which only critical alerts are sent; the rest goes out as one message at their end',
    { kind: '22:00-06:30' },
  ),
  wait_seconds: documented(
    whole(0, 3600, 'seconds').optional(),
    'How long an alert waits for others of its kind, which go out in one message; critical ones do not wait. By default 60',
  ),
  rules: documented(rules.optional(), 'When each kind of alert opens'),
  mail: documented(
    z
      .strictObject({
        host: documented(text('a host name', 253), 'The mail server (SMTP)'),
        port: documented(whole(1, 65535).default(587), 'Its port'),
        security: documented(
          oneOf(['starttls', 'tls', 'none']).default('starttls'),
          'starttls: nothing is sent before TLS (587); tls: from the first byte (465); none: only without a password',
        ),
        user: documented(text('a user', 255).optional(), 'The user; absent: the server asks for none'),
        password: documented(
          text('a password').optional(),
          'The password; QQ, 163 and Gmail want an authorisation code or app password',
          { secret: true, besideSecret: true },
        ),
        from: documented(mailAddress(), 'The sender', { besideSecret: true }),
        to: documented(z.array(mailAddress()).min(1).max(20), 'The recipients', { besideSecret: true }),
      })
      .optional(),
    'Alerts by mail',
  ),
  webhook: documented(
    z
      .strictObject({
        url: documented(
          url('https', 'http'),
          'Called with POST, as Standard Webhooks 1.0.0 has it; redirects are not followed',
          {
            secret: true,
            kind: 'https://…',
          },
        ),
        secret: documented(
          pattern(/^(whsec_)?[A-Za-z0-9+/]{32,88}={0,2}$/, 'a secret: whsec_ and 24 to 64 bytes as base64').optional(),
          'Signs the calls (whsec_…); absent: they are not signed',
          { secret: true, besideSecret: true },
        ),
      })
      .optional(),
    'Alerts to a webhook',
  ),
  dingtalk: documented(
    z.strictObject({ ...robot('DingTalk'), ...robotSecret }).optional(),
    'Alerts to a robot of DingTalk',
  ),
  feishu: documented(z.strictObject({ ...robot('Feishu'), ...robotSecret }).optional(), 'Alerts to a robot of Feishu'),
  wecom: documented(z.strictObject(robot('WeCom')).optional(), 'Alerts to a robot of WeCom'),
  push: documented(
    z
      .strictObject({
        app_id: documented(text('an app_id', 64), 'The app, of apps in the site file'),
        template,
        tags: documented(z.array(text('a tag', 128)).min(1).max(100), 'To whom: tags of the app'),
      })
      .optional(),
    "Alerts by the platform's app push (SPEC 4.7)",
  ),
  sms: documented(
    z
      .strictObject({
        app_id: documented(text('an app_id', 64), 'In whose name, of apps in the site file'),
        template,
        region: documented(pattern(/^\d{1,4}$/, 'an area code such as 86').default('86'), 'Area code of the numbers'),
        mobiles: documented(
          z
            .array(pattern(/^\d{3,20}$/, 'a phone number: digits alone'))
            .min(1)
            .max(20),
          'The numbers, digits alone',
        ),
      })
      .optional(),
    "Alerts by the platform's short messages (SPEC 4.7); they wait while the line is away",
  ),
});

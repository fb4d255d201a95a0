import { z } from 'zod';
import { parseDeviceId, parseProductId } from '../platform/device-id.ts';
import { foldedNumber } from '../platform/folded-number.ts';
import { isReservedName } from '../platform/reserved-names.ts';
import { oneOf, optionalText, pattern, personName, personNumber, text, url, whole, yesOrNo } from './kinds.ts';
import { calendarSchema, optionalDate, scheduleSchema, shiftSchema } from './site-plans-schema.ts';

const extId = () => personNumber('an external id', 32); // SPEC 8
const secret = (what: string) => text(what, 256).optional();
/** As the examples write it, or as YAML has it. */
const yesNo = () =>
  z.preprocess(value => (value === 'yes' ? true : value === 'no' ? false : value), yesOrNo().optional()).optional();
const number = (what: string) => z.number({ error: () => `not a number: write ${what}` }).optional();

const attributesMax = 50;

/** Custom business attributes (SPEC 2.1). The box keeps and shows them and uses none. */
const attributes = z
  .record(
    pattern(/^[\p{L}\p{N} _.-]+$/u, 'an attribute name: letters, digits, spaces, "_", "." and "-"', 64),
    text('the value of the attribute'),
    { error: () => 'not a map: write each attribute as name: value' },
  )
  .refine(value => Object.keys(value).length <= attributesMax, {
    error: `too many: at most ${attributesMax} attributes are kept`,
  });

const product = z.strictObject({
  product_id: text('a product_id').refine(value => parseProductId(value).ok, {
    error: 'no product_id: at most 16 digits, upper-case letters and hyphens',
  }),
  product_key: secret("the product's key"),
  other_environment_key: secret("the product's key of the other environment"),
  name: optionalText(100).optional(),
  icon: optionalText(2000).optional(),
  introduction: optionalText(2000).optional(),
  model: pattern(/^[\w.-]+$/, 'a model: letters, digits, dots, hyphens and underscores', 64).optional(),
  access: oneOf(['mqtt', 'http', 'both']).optional(),
  face_features: yesNo(),
  pass_features: yesNo(),
  // Other settings of a registration (SPEC 2.1).
  discovery: oneOf(['qr', 'broadcast', 'both']).optional(),
  network_configuration: oneOf(['bluetooth', 'hotspot', 'both', 'none']).optional(),
  network_configuration_flow: optionalText(1000).optional(),
  app_supported: yesNo(),
  attributes: attributes.optional(),
});

const boxOrDeviceId = (what: string) =>
  text(what).refine(value => parseDeviceId(value).ok, {
    error: `no ${what.replace(/^an? /, '')}: {product_id}_{device_sn}, letters, digits and hyphens, at most 64 characters`,
  });

const device = z.strictObject({
  device_id: boxOrDeviceId('a device id'),
  name: optionalText(100).optional(),
  access_key: secret("the device's access key"),
  blocked: yesOrNo().optional(),
  people_data: yesNo(),
});

/**
 * The site file (CONTRACT section 3), with passwords as they are written; every section optional.
 */
export const siteSchema = z.strictObject({
  products: z.array(product).optional(),
  devices: z.array(device).optional(),
  apps: z
    .array(
      z.strictObject({
        app_id: text('an app_id', 64),
        app_key: secret('the app_key'),
        name: optionalText(100).optional(),
      }),
    )
    .optional(),
  boxes: z
    .array(
      z.strictObject({
        box_id: boxOrDeviceId('a box id'),
        name: optionalText(100).optional(),
        /** Those assigned to the box; if absent, its assignments do not change. */
        devices: z.array(boxOrDeviceId('a device id')).optional(),
      }),
    )
    .optional(),
  attendance_callers: z
    .array(
      z.strictObject({
        app_key: text('an app_key', 64),
        app_secret: secret('the app_secret'),
        name: optionalText(100).optional(),
      }),
    )
    .optional(),
  oauth_clients: z
    .array(
      z.strictObject({
        client_id: text('a client_id', 64),
        /** Only of a client that is not public. */
        client_secret: secret('the client_secret'),
        /** An app that cannot keep a secret: it has none, and must use PKCE. */
        public: yesOrNo().optional(),
        /** Its token call has to repeat the redirect_uri (RFC 6749 4.1.3). */
        needs_redirect_uri: yesOrNo().optional(),
        name: optionalText(100).optional(),
        logo_url: optionalText(2000).optional(),
        redirect_uris: z
          .array(url('https', 'http'), { error: () => 'not a list: write the callback addresses, each after "- "' })
          .min(1, { error: 'empty: at least one callback address is needed' }),
      }),
    )
    .optional(),
  users: z
    .array(
      z.strictObject({
        name: pattern(/^[^\s:]+$/, 'a user name: no spaces and no colon', 64).refine(value => !isReservedName(value), {
          error: 'a name that the audit log uses for what is no person: choose another',
        }),
        password: text('a password, or file: and the path of one', 256)
          .refine(value => [...value].length >= 8, { error: 'too short: at least 8 characters' })
          .optional(),
        password_hash: pattern(/^\$argon2id\$/, 'a hash that export --with-secrets wrote', 512).optional(),
        /** `none`: can only sign in to applications. */
        role: oneOf(['admin', 'staff', 'viewer', 'none']),
        headimgurl: optionalText(2000).optional(),
      }),
    )
    .optional(),
  departments: z
    .array(
      z.strictObject({
        ext_id: extId(),
        name: personName(30),
        p_ext_id: extId().optional(),
        /** The first date under that parent. */
        parent_since: optionalDate().optional(),
      }),
    )
    .optional(),
  employees: z
    .array(
      z.strictObject({
        ext_id: extId(),
        name: personName(30),
        mobile: optionalText(20)
          .refine(value => !value.includes('*'), { error: 'is masked: write the whole number, or leave it out' })
          .transform(foldedNumber)
          .optional(),
        employee_num: optionalText(20).transform(foldedNumber).optional(),
        department: z.strictObject({ ext_id: extId(), title: optionalText(16).optional() }),
        /** The first date in that department. */
        department_since: optionalDate().optional(),
        /** First and last day of the last stint, both inclusive; empty: none. */
        from: optionalDate().optional(),
        to: optionalDate().optional(),
        /** The stints before it, in order; absent: left alone. */
        earlier: z.array(z.strictObject({ from: optionalDate().optional(), to: optionalDate() })).optional(),
      }),
    )
    .optional(),
  shifts: z.array(shiftSchema).optional(),
  schedules: z.array(scheduleSchema).optional(),
  calendar: z.array(calendarSchema).optional(),
  app_upgrades: z
    .array(
      z.strictObject({
        app_code: text('an app_code', 64),
        version: pattern(/^\d+(\.\d+)*$/, 'a version such as 1.2.0', 32),
        url: url('https', 'http'),
        checksum: optionalText(200).optional(),
        size: whole(0, 2 ** 50, 'bytes').optional(),
        min_platform_version: number('a platform version such as 8.0'),
        max_platform_version: number('a platform version such as 14.0'),
        description: optionalText(10_000).optional(),
        upgrade_type: oneOf(['normal', 'force', 'explicit']).optional(),
      }),
    )
    .optional(),
  message_templates: z
    .array(
      z.strictObject({
        template: text('a template name', 64),
        title: optionalText(200).optional(),
        body: text('a body', 10_000),
      }),
    )
    .optional(),
});

export type SiteFile = z.infer<typeof siteSchema>;
export type SiteSection = keyof SiteFile;

/** Keys whose values are never shown. */
const siteSecrets: ReadonlySet<string> = new Set([
  'product_key',
  'other_environment_key',
  'access_key',
  'app_secret',
  'client_secret',
  'password',
  'password_hash',
]);

/** `app_key` names a caller of the attendance API, but is the secret of an app. */
export const isSiteSecret = (path: readonly (string | number)[]): boolean =>
  path.some(step => siteSecrets.has(String(step))) || (path[0] === 'apps' && path.includes('app_key'));

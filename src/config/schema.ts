import { z } from 'zod';
import { parseProductId } from '../platform/device-id.ts';
import { timeServersIn, timeServersMax } from '../platform/time-servers.ts';
import { actions } from './actions-schema.ts';
import { alerts } from './alerts-schema.ts';
import { attendance } from './attendance-schema.ts';
import { backups } from './backups-schema.ts';
import { events } from './events-schema.ts';
import { documented, fileText, oneOf, pattern, text, url, whole, yesOrNo } from './kinds.ts';
import { admission, limitKeys } from './limits-schema.ts';
import { listen } from './listen-schema.ts';
import { provisioning } from './provisioning-schema.ts';
import { siteValues } from './site-values.ts';
import { tls } from './tls-schema.ts';

/** A key that can be chosen while the box runs; what the config says wins. */
const onThePage = 'Absent: can be chosen on the page Settings';

const productId = text('a product_id').refine(value => parseProductId(value).ok, {
  error: 'no product_id: at most 16 digits, upper-case letters and hyphens',
});

const serial = pattern(/^[0-9A-Za-z-]{1,47}$/, 'a serial number: letters, digits and hyphens, at most 47', 47);

const urlSafe = (what: string) => pattern(/^[\w-]+$/, `${what}: letters, digits, hyphens and underscores`, 64);

const site = z.strictObject({
  name: documented(siteValues.name.default('My site'), `What people call this site. ${onThePage}`),
  timezone: documented(
    siteValues.timezone.default('Asia/Shanghai'),
    `Time zone of the days of reports and of the daily log limit. ${onThePage}`,
    {
      kind: 'time zone',
    },
  ),
  locale: documented(
    siteValues.locale.default('en'),
    `Language of reports, labels and other texts that the box makes for people; absent: that of earlier starts, else zh-CN where the program is started in a Chinese environment (LANG). ${onThePage}`,
    { kind: 'language' },
  ),
  base_url: documented(
    url('https', 'http').optional(),
    'The beginning of addresses that the box hands out; absent: the Host of the request',
    { kind: 'https://…' },
  ),
});

/** RFC 9116. */
const security = z.strictObject({
  contact: documented(
    pattern(/^(mailto:[^\s@]+@\S+|https:\/\/\S+|tel:\S+)$/, 'an address: mailto:…, https://… or tel:…'),
    'Where to report a vulnerability of this box',
    { kind: 'mailto:… or https://…' },
  ),
  expires: documented(
    pattern(/^\d{4}-\d\d-\d\d$/, 'a day such as 2027-06-30')
      .refine(value => !Number.isNaN(Date.parse(value)), { error: 'no such day' })
      .optional(),
    'Until when this is valid; absent: half a year from the day of the request',
    { kind: 'day' },
  ),
  policy: documented(url('https').optional(), 'How reports are handled', { kind: 'https://…' }),
});

const box = z.strictObject({
  product_id: documented(productId.default('GATEHOUSE'), 'product_id of the box as a device of the platform'),
  device_sn: documented(serial.default('000001'), 'Its serial number; the device id is {product_id}_{device_sn}'),
  access_key: documented(text('the key').optional(), 'Its access key; needed for upstream modes gateway and batch', {
    secret: true,
  }),
  product_key: documented(
    text('the key').optional(),
    'The product_key of the box: a phone verifies the box with it and protects the wifi password with it (SPEC 5.4); absent: the key of the product with this product_id in the site file, otherwise access_key',
    { secret: true },
  ),
  setup_code: documented(
    pattern(/^[0-9A-Za-z]{4}-[0-9A-Za-z]{4}$/, 'a setup code: four letters or digits, a hyphen, four more').optional(),
    'The code on its label, which makes the first account and is void after that; absent: each start makes a new code while there is no account',
    { secret: true },
  ),
  model: documented(text('a model', 32).default('GH1'), 'Its model'),
  vendor: documented(
    pattern(/^[0-9A-Za-z]{1,16}$/, 'a vendor prefix: 1 to 16 letters and digits').default('VENDOR'),
    "The platform's vendor prefix: broadcast names and the wifi-password marker",
  ),
  qr_base_url: documented(
    url('https', 'http')
      .refine(value => !/[?#]/.test(value), { error: 'has a ? or # in it: the path of the code goes on behind it' })
      .default('https://qr.example'),
    'Prefix of device QR codes',
    { kind: 'https://…' },
  ),
  app_type: documented(oneOf(['app', 'wxmp']).default('app'), 'appType of QR codes: standalone app or mini program'),
  app_id: documented(urlSafe('an app id').default('gatehouse'), 'appID of QR codes'),
  host_name: documented(
    pattern(
      /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i,
      'a host name: at most 63 letters, digits and hyphens',
    ).optional(),
    'Host name of the machine, which it also tells the router; absent: as the operating system has it',
    { kind: 'text such as gatehouse-hall-3' },
  ),
  time_servers: documented(
    text('time servers', 1000)
      .refine(value => timeServersIn(value) !== null, {
        error: `not time servers: write at most ${timeServersMax} host names or addresses, such as ntp.example, 192.0.2.1`,
      })
      .optional(),
    'Time servers (NTP), separated by commas, that chrony asks beside its own; absent: none',
    { kind: 'list such as ntp.example, 192.0.2.1' },
  ),
  led: documented(
    text('the path of a folder').optional(),
    'An LED that shows the state of the box, such as /sys/class/leds/ACT (docs/service.md)',
    { file: 'path', kind: 'folder' },
  ),
});

const upstream = z.strictObject({
  mode: documented(
    oneOf(['per-device', 'gateway', 'batch']).default('per-device'),
    "per-device: one session for each device; gateway: everything through the box's own session; batch: batches to a cloud or box that accepts them",
  ),
  device_mqtt: documented(url('mqtts', 'mqtt').optional(), 'Device gateway over MQTT; tried first', {
    kind: 'mqtts://…',
  }),
  device_http: documented(
    url('https', 'http').optional(),
    'Device gateway over HTTP; used where MQTT is blocked, and for batches',
    {
      kind: 'https://…',
    },
  ),
  oauth: documented(url('https', 'http').optional(), 'Sign-in with a cloud account', { kind: 'https://…' }),
  oauth_client: documented(
    z
      .strictObject({
        client_id: documented(text('the client_id'), 'Its client_id there'),
        client_secret: documented(text('the client_secret'), 'Its secret', { secret: true }),
      })
      .optional(),
    'This box as an OAuth client of the cloud in `oauth`; register https://BOX:PORT/oauth/cloud/callback there as its callback address',
  ),
  psp: documented(
    z
      .strictObject({
        url: documented(url('https', 'http'), 'Public services', { kind: 'https://…' }),
        app_id: documented(text('the app_id'), 'Its app_id there'),
        app_key: documented(text('the app_key'), 'Its key', { secret: true }),
      })
      .optional(),
    'Public services of the cloud',
  ),
  attendance: documented(
    z
      .strictObject({
        url: documented(url('https', 'http'), 'Attendance API', { kind: 'https://…' }),
        app_key: documented(text('the app_key'), 'Its App-Key there'),
        app_secret: documented(text('the app_secret'), 'Its secret', { secret: true }),
        mirror_minutes: documented(
          whole(1, 24 * 60, 'minutes').default(10),
          'How often departments and employees are fetched from there; changes made here are sent there at once',
        ),
      })
      .optional(),
    'Attendance API of the cloud',
  ),
  ca: documented(fileText('the path of a PEM file').optional(), 'Additional root certificates to trust', {
    file: 'content',
    kind: 'file',
  }),
  insecure: documented(
    oneOf(['yes', 'no']).default('no'),
    'yes: allow mqtt:// and http:// to other machines too, although anybody on the network path can then read and change the traffic; the log, status and doctor warn of it. Environment production refuses them in any case',
  ),
});

const features = z.strictObject({
  upstream: documented(
    oneOf(['on', 'off']).default('on'),
    'off: faces, fingerprints, PINs and photos taken at doors stay at this site; nothing that is sent to the cloud contains them',
  ),
});

const services = z.strictObject({
  holidays: documented(
    fileText('the path of a YAML or JSON file').optional(),
    'Table of holidays, for years that the program lacks or that the site wants to replace (docs/services.md)',
    { file: 'content', kind: 'file' },
  ),
  place: documented(
    text('an adcode, longitude,latitude, or a city').optional(),
    'Where the site is, for weather calls that name no place',
  ),
  speech_command: documented(
    z.array(text('a program and its arguments')).min(1).optional(),
    'A program that reads text from standard input and writes a WAV to standard output; absent: espeak-ng',
  ),
});

const updates = z.strictObject({
  program_dir: documented(
    text('a path').default('/var/lib/gatehouse-program'),
    'Where updated programs are stored; belongs to root (docs/updates.md)',
  ),
  sticks_dir: documented(
    text('a path').default('/run/gatehouse-usb'),
    'Where USB sticks are mounted, each in a folder; bundles in the top folder of a stick are offered',
  ),
});

const storage = z.strictObject({
  endurance_tb: documented(
    whole(1, 1_000_000, 'terabytes').default(30),
    'How much can be written to the disk in its lifetime, according to its data sheet (TBW); from it `gatehouse status` computes how long a card lasts. 30 is usual for an SD card of 32 GB; a "high endurance" card has 100 or more',
  ),
});

const store = z.strictObject({
  engine: documented(
    oneOf(['sqlite', 'postgres']).default('sqlite'),
    'Where records and tables stand. sqlite: a file in data_dir, for a box; postgres: a database that several processes share (docs/region.md)',
  ),
  url: documented(
    text('the address of the database').optional(),
    'With engine postgres: its address, user and password',
    { secret: true, kind: 'postgresql://…' },
  ),
  owner_url: documented(
    text('the address of the database').optional(),
    'With engine postgres: the same with the role that owns the tables, for what makes and changes them at a start; the role of url then needs no right but to read and write rows. Absent: url is used',
    { secret: true, kind: 'postgresql://…' },
  ),
  files: documented(
    text('a path').optional(),
    'With engine postgres: a directory that all processes share, such as a mount of NFS, for uploaded files, packages, speech, daily statements and backups of boxes below; absent: each process keeps its own in data_dir',
    { file: 'path', kind: 'path' },
  ),
});

/**
 * The whole config file (CONTRACT 2): the only source of defaults, types, `--effective` and
 * docs/config.md.
 */
export const configSchema = z.strictObject({
  environment: documented(
    oneOf(['test', 'production']).default('test'),
    'A store belongs to one environment and is refused in the other',
  ),
  data_dir: documented(text('a path').default('./gatehouse-data'), 'Where the box keeps everything', {
    file: 'path',
    kind: 'path',
  }),
  strict: documented(
    yesOrNo().default(false),
    "Disconnect a device that publishes to any foreign topic, not only to another device's $client topic",
  ),
  site: documented(site.prefault({}), 'The site'),
  box: documented(box.prefault({}), "The box's own identity as a device of the platform"),
  listen: documented(
    listen.prefault({}),
    'Where the box listens: host:port, port 0 for any free port, "off" to close it',
  ),
  tls: documented(
    tls.optional(),
    'The certificate and the cipher suites; without cert and key the box makes its own certificate authority and certificate in data_dir',
  ),
  upstream: documented(upstream.optional(), 'The cloud, or a larger box; absent: the box stands alone'),
  features: documented(features.prefault({}), "People's biometric features"),
  attendance: documented(attendance.prefault({}), 'Attendance at this site'),
  services: documented(services.prefault({}), 'The public services'),
  provisioning: documented(provisioning.prefault({}), 'Setting up the box, and setting up devices through it'),
  updates: documented(updates.prefault({}), 'Updates (docs/updates.md)'),
  security: documented(
    security.optional(),
    'Contents of /.well-known/security.txt, which says whom to tell about a vulnerability; absent: there is no such file',
  ),
  alerts: documented(alerts.prefault({}), 'What the box warns of, and where to (docs/operating.md)'),
  backups: documented(backups.prefault({}), 'Backups by schedule, and where they are kept (docs/operating.md)'),
  events: documented(events.prefault({}), "Events for the site's own programs (docs/events.md)"),
  actions: documented(actions.prefault({}), 'Action codes that the devices of this site use (CONTRACT 4)'),
  admission: documented(admission.prefault({}), 'Admission by the product key'),
  store: documented(store.prefault({}), 'The engine of the store'),
  storage: documented(storage.prefault({}), 'The disk under data_dir'),
  limits: documented(
    limitKeys.prefault({}),
    "The limits of SPEC section 8; what is sent to the cloud keeps to the cloud's own limits in any case",
  ),
});

/** Config of the process: all defaults filled in, all `file:` values read. */
export type Config = z.infer<typeof configSchema>;

import { boxId, type CallerName, deviceId, loginOf } from '../support/every-caller.ts';

/**
 * Who may call what: every route of every listener, asserted by matrix.test.ts on a box that runs.
 * A route that is new needs a row here; the test that fails prints one with what the route does
 * today. Read it before you paste it: the row says what it should do.
 *
 * A mark for each caller: `+` let in, `x` known but not allowed (403), `-` not known (401, 406, or
 * the code of its API), `>` sent to https. Callers, in this order: nobody, a wrong credential,
 * viewer, staff, admin, an OAuth session, a device's session, a box's session, and a call that is
 * signed for the public services and the attendance API. Let in means past the question who calls:
 * the call of the test carries a body of `{}` and names what does not exist, so that nothing is
 * done.
 */
export type Row = string | readonly [marks: string, request: RowRequest];

export interface RowRequest {
  readonly path?: string;
  readonly method?: string;
  readonly body?: (caller: CallerName) => string;
  /** It signs its caller out: it is called last, and everybody signs in again before. */
  readonly endsSession?: true;
}

export type Table = Readonly<Record<string, Row>>;

/** What stands for `:name` in a path. */
export const samples: Readonly<Record<string, string>> = {
  version: 'v1.0.0',
  what: 'site',
  model: 'FT1',
  sn: 'A0001',
};

/**
 * OAuth (SPEC 4.6): pages and endpoints that ask for themselves who is there. A return from the
 * cloud that nobody went to is refused.
 */
const oauth = {
  'GET /oauth/authorize': '+ + + + + + + + +',
  'POST /oauth/login': '+ + + + + + + + +',
  'POST /oauth/consent': '+ + + + + + + + +',
  'POST /oauth/cloud': '+ + + + + + + + +',
  'GET /oauth/cloud/callback': 'x x x x x x x x x',
  'GET /oauth/token': '+ + + + + + + + +',
  'POST /oauth/token': '+ + + + + + + + +',
  'GET /api/getUserInfo': '- - - - - + - - -',
  'GET /.well-known/oauth-authorization-server': '+ + + + + + + + +',
} satisfies Table;

/**
 * Public services (SPEC 5.6): signed by an app of the site. A public link is for whoever has it.
 */
const services = {
  'POST /api/:version/file': '- - - - - - - - +',
  'GET /api/:version/file/:fileId': '- - - - - - - - +',
  'GET /public/file/:name': '+ + + + + + + + +',
  'HEAD /public/file/:name': '+ + + + + + + + +',
  'GET /api/:version/holiday': '- - - - - - - - +',
  'GET /api/:version/holiday/day': '- - - - - - - - +',
  'GET /api/:version/weather': '- - - - - - - - +',
  'GET /api/:version/tts': '- - - - - - - - +',
  'GET /public/speech/:name': '+ + + + + + + + +',
  'HEAD /public/speech/:name': '+ + + + + + + + +',
  'POST /api/:version/message/app': '- - - - - - - - +',
  'GET /api/:version/message/app': '- - - - - - - - +',
  'GET /api/:version/message/app/stream': '- - - - - - - - +',
  'POST /api/:version/message/short-message': '- - - - - - - - +',
  'GET /api/:version/message/short-message': '- - - - - - - - +',
  'GET /api/:version/app/page/:appCode': '- - - - - - - - +',
  'GET /api/:version/app-upgrade/*': '- - - - - - - - +',
  'GET /public/package/:name': '+ + + + + + + + +',
  'HEAD /public/package/:name': '+ + + + + + + + +',
} satisfies Table;

/** In the order in which they are asked: resetting the network over https closes the hotspot. */
export const listeners = {
  // Whoever is in the hotspot has its password, or stands before a box that is being set up with an
  // open one (SPEC 4.3). Those who are signed in elsewhere come from a page of another address
  // here.
  hotspot: {
    'POST /wifi/list': '+ + x x x + + + +',
    'POST /device/query': '+ + x x x + + + +',
    'POST /wifi/setting': '+ + x x x + + + +',
    'GET /wifi/list': '+ + x x x + + + +',
    'GET /device/query': '+ + x x x + + + +',
    'GET /': '+ + + + + + + + +',
    'GET /setup': '+ + + + + + + + +',
    'POST /setup': '+ + x x x + + + +',
    'GET /generate_204': '+ + + + + + + + +',
    'GET /gen_204': '+ + + + + + + + +',
    'GET /hotspot-detect.html': '+ + + + + + + + +',
    'GET /library/test/success.html': '+ + + + + + + + +',
    'GET /success.txt': '+ + + + + + + + +',
    'GET /canonical.html': '+ + + + + + + + +',
    'GET /connecttest.txt': '+ + + + + + + + +',
    'GET /ncsi.txt': '+ + + + + + + + +',
    'GET /redirect': '+ + + + + + + + +',
    'GET /check_network_status.txt': '+ + + + + + + + +',
    'GET /wifi/generate_204': '+ + + + + + + + +',
  },
  // For the machine itself: listen.metrics stands on the loopback.
  metrics: {
    'GET /metrics': '+ + + + + + + + +',
    'GET /healthz': '+ + + + + + + + +',
    'GET /readyz': '+ + + + + + + + +',
  },
  http: {
    ...oauth,
    ...services,
    // A password is asked for over TLS alone.
    'POST /oauth/login': 'x x x x x x x x x',
    'POST /oauth/consent': 'x x x x x x x x x',
    'POST /oauth/cloud': 'x x x x x x x x x',
    'ALL /*': '> > > > > > > > >',
  },
  https: {
    // Device gateway (SPEC 4.2): the session of a device is good for that device alone, and batches
    // are taken from boxes.
    'POST /api/connect/:clientId': [
      '- - - - - - + + -',
      { body: caller => (caller === 'device' ? loginOf(deviceId) : caller === 'box' ? loginOf(boxId) : '{}') },
    ],
    'GET /api/disconnect/:clientId': ['- - - - - - + + -', { endsSession: true }],
    'POST /api/disconnect/:clientId': ['- - - - - - + + -', { endsSession: true }],
    'GET /api/pull/:clientId': '- - - - - - + + -',
    'POST /api/push/:clientId': '- - - - - - + + -',
    // A log under another sn is refused with 400, whoever has the session (SPEC 4.2): a box is
    // known.
    'POST /api/v2.0/log/:model/:sn': '- - - - - - + + -',
    'POST /api/v1.0/batch/:clientId': '- - - - - - x + -',
    // Attendance API (SPEC 5.7): signed by a caller of the site.
    'POST /v2.0/department/init': '- - - - - - - - +',
    'POST /v2.0/department/query': '- - - - - - - - +',
    'POST /v2.0/department/ext': '- - - - - - - - +',
    'POST /v2.0/department': '- - - - - - - - +',
    'POST /v2.0/department/delete': '- - - - - - - - +',
    'POST /v2.0/employee': '- - - - - - - - +',
    'POST /v2.0/employee/query': '- - - - - - - - +',
    'POST /v2.0/employee/ext': '- - - - - - - - +',
    'POST /v2.0/employee/delete': '- - - - - - - - +',
    'POST /v2.0/org/device/query': '- - - - - - - - +',
    'POST /v2.0/cloudappapi': '- - - - - - - - +',
    'ALL /v2.0/*': '+ + + + + + + + +',
    // Signing in to the admin API: open to everybody, since nobody is known before.
    'DELETE /admin/v1/session': ['+ + + + + + + + +', { endsSession: true }],
    'GET /admin/v1/session': '+ + + + + + + + +',
    'POST /admin/v1/session': '+ + + + + + + + +',
    'POST /admin/v1/first-account': '+ + + + + + + + +',
    // Admin API: viewers read, staff look after people, admins do the rest.
    'GET /admin/v1/status': '- - + + + - - - -',
    'GET /admin/v1/devices/:id': '- - + + + - - - -',
    'GET /admin/v1/site': '- - + + + - - - -',
    'POST /admin/v1/site': '- - x x + - - - -',
    'GET /admin/v1/export/:what': '- - + + + - - - -',
    'GET /admin/v1/logs': '- - + + + - - - -',
    'GET /admin/v1/attendance': '- - + + + - - - -',
    'POST /admin/v1/attendance/sync': '- - x + + - - - -',
    'POST /admin/v1/attendance/refused-writes/:id/:what': '- - x + + - - - -',
    'POST /admin/v1/attendance/conflicts/:id/dismiss': '- - x + + - - - -',
    'POST /admin/v1/attendance/uncertain-matches/:id/dismiss': '- - x + + - - - -',
    'GET /admin/v1/live': '- - + + + - - - -',
    'GET /admin/v1/today': '- - + + + - - - -',
    'GET /admin/v1/day': '- - + + + - - - -',
    'GET /admin/v1/history': '- - + + + - - - -',
    'GET /admin/v1/devices/:id/hours': '- - + + + - - - -',
    'GET /admin/v1/devices/:id/clock': '- - + + + - - - -',
    'GET /admin/v1/device-list': '- - + + + - - - -',
    'GET /admin/v1/device-counts': '- - + + + - - - -',
    'GET /admin/v1/refused-devices': '- - + + + - - - -',
    'GET /admin/v1/devices/:id/page': '- - + + + - - - -',
    'GET /admin/v1/devices/:id/ledger': '- - + + + - - - -',
    'GET /admin/v1/devices/:id/logs': '- - + + + - - - -',
    'PUT /admin/v1/devices/:id': '- - x x + - - - -',
    'POST /admin/v1/devices/people-data': '- - x + + - - - -',
    'POST /admin/v1/devices/:id/accept-product-key': '- - x x + - - - -',
    'GET /admin/v1/boxes': '- - + + + - - - -',
    'PUT /admin/v1/boxes/:id': '- - x x + - - - -',
    'DELETE /admin/v1/boxes/:id': '- - x x + - - - -',
    'PUT /admin/v1/devices/:id/box': '- - x x + - - - -',
    'PUT /admin/v1/products/:id': '- - x x + - - - -',
    'POST /admin/v1/products/:id/admit-new': '- - x + + - - - -',
    'GET /admin/v1/sync': '- - + + + - - - -',
    'GET /admin/v1/sync/parked': '- - + + + - - - -',
    'GET /admin/v1/attendance/day': '- - + + + - - - -',
    'GET /admin/v1/attendance/day/people': '- - + + + - - - -',
    'GET /admin/v1/attendance/month': '- - + + + - - - -',
    'GET /admin/v1/attendance/month/people': '- - + + + - - - -',
    'GET /admin/v1/attendance/corrections': '- - + + + - - - -',
    'POST /admin/v1/attendance/corrections': '- - x + + - - - -',
    'POST /admin/v1/attendance/corrections/:id/undo': '- - x + + - - - -',
    'POST /admin/v1/attendance/corrections/:id/:decision': '- - x + + - - - -',
    'GET /admin/v1/people/:ext_id/checkins': '- - + + + - - - -',
    'GET /admin/v1/reports/:file': '- - + + + - - - -',
    'GET /admin/v1/access': '- - + + + - - - -',
    'GET /admin/v1/access/:id/photo': '- - + + + - - - -',
    'GET /admin/v1/departments': '- - + + + - - - -',
    'GET /admin/v1/people': '- - + + + - - - -',
    'GET /admin/v1/people/:ext_id': '- - + + + - - - -',
    'GET /admin/v1/erasures': '- - + + + - - - -',
    'GET /admin/v1/people/:ext_id/features': '- - x + + - - - -',
    'POST /admin/v1/people/import': '- - x + + - - - -',
    'POST /admin/v1/departments': '- - x + + - - - -',
    'PUT /admin/v1/departments/:ext_id': '- - x + + - - - -',
    'DELETE /admin/v1/departments/:ext_id': '- - x + + - - - -',
    'POST /admin/v1/people': '- - x + + - - - -',
    'PUT /admin/v1/people/:ext_id': '- - x + + - - - -',
    'DELETE /admin/v1/people/:ext_id': '- - x + + - - - -',
    'GET /admin/v1/integrations': '- - + + + - - - -',
    'POST /admin/v1/integrations/callers': '- - x x + - - - -',
    'POST /admin/v1/integrations/callers/rotate': '- - x x + - - - -',
    'POST /admin/v1/integrations/callers/remove': '- - x x + - - - -',
    'POST /admin/v1/integrations/sign': '- - x x + - - - -',
    'GET /admin/v1/ui/commission': '- - + + + - - - -',
    'GET /admin/v1/qr-read': '- - + + + - - - -',
    'GET /admin/v1/ui/walk': '- - + + + - - - -',
    'GET /admin/v1/ui/logs': '- - + + + - - - -',
    'GET /admin/v1/ui/system-log': '- - + + + - - - -',
    'GET /admin/v1/system': '- - + + + - - - -',
    'GET /admin/v1/certificates': '- - + + + - - - -',
    'GET /admin/v1/certificates/ca.pem': '- - + + + - - - -',
    'GET /admin/v1/certificates/ca.crt': '- - + + + - - - -',
    'GET /admin/v1/certificates/gatehouse.mobileconfig': '- - + + + - - - -',
    'POST /admin/v1/me/password': '- - + + + - - - -',
    'GET /admin/v1/backup/download': '- - x x + - - - -',
    'POST /admin/v1/restore': '- - x x + - - - -',
    'PUT /admin/v1/update/bundle': '- - x x + - - - -',
    'GET /admin/v1/holidays': '- - + + + - - - -',
    'GET /admin/v1/about': '- - + + + - - - -',
    'GET /admin/v1/services': '- - + + + - - - -',
    'GET /admin/v1/grants': '- - + + + - - - -',
    'POST /admin/v1/grants/:id/revoke': '- - x x + - - - -',
    'GET /admin/v1/users/:name/sessions': '- - + + + - - - -',
    'POST /admin/v1/users/:name/sessions/end': '- - x x + - - - -',
    'GET /admin/v1/users': '- - + + + - - - -',
    'PUT /admin/v1/users/:name': '- - x x + - - - -',
    'DELETE /admin/v1/users/:name': '- - x x + - - - -',
    'GET /admin/v1/tokens': '- - + + + - - - -',
    'POST /admin/v1/tokens': '- - x x + - - - -',
    'DELETE /admin/v1/tokens/:id': '- - x x + - - - -',
    'GET /admin/v1/audit': '- - + + + - - - -',
    'GET /admin/v1/disk': '- - + + + - - - -',
    'POST /admin/v1/disk/free': '- - x x + - - - -',
    'GET /admin/v1/audit/export': '- - + + + - - - -',
    'GET /admin/v1/audit/verify': '- - + + + - - - -',
    'POST /admin/v1/provision/scan': '- - x x + - - - -',
    'POST /admin/v1/provision/info': '- - x x + - - - -',
    'POST /admin/v1/provision/verify': '- - x x + - - - -',
    'POST /admin/v1/provision/wifi': '- - x x + - - - -',
    'GET /admin/v1/provision/results': '- - + + + - - - -',
    'GET /admin/v1/setup': '- - + + + - - - -',
    'POST /admin/v1/setup/hotspot': '- - x x + - - - -',
    'POST /admin/v1/setup/reset-network': '- - x x + - - - -',
    'POST /admin/v1/reset-all': '- - x x + - - - -',
    'POST /admin/v1/devices/verify': '- - + + + - - - -',
    'GET /admin/v1/naming': '- - + + + - - - -',
    'GET /admin/v1/devices': '- - + + + - - - -',
    'GET /admin/v1/devices/:id/qr': '- - + + + - - - -',
    'GET /admin/v1/labels': '- - + + + - - - -',
    'POST /admin/v1/doctor': '- - x x + - - - -',
    'GET /admin/v1/update': '- - + + + - - - -',
    'POST /admin/v1/update/inspect': '- - x x + - - - -',
    'POST /admin/v1/update': '- - x x + - - - -',
    'POST /admin/v1/update/rollback': '- - x x + - - - -',
    'GET /admin/v1/parked': '- - + + + - - - -',
    'POST /admin/v1/parked/send-again': '- - x x + - - - -',
    'GET /admin/v1/backup': '- - + + + - - - -',
    'POST /admin/v1/backup': '- - x x + - - - -',
    'POST /admin/v1/recovery-key': '- - x x + - - - -',
    // Pages: they hold nothing but their own program, and ask the admin API for the rest.
    'GET /ui/:name': '+ + + + + + + + +',
    'GET /': '+ + + + + + + + +',
    'GET /welcome': '+ + + + + + + + +',
    'GET /welcome/*': '+ + + + + + + + +',
    'GET /attendance': '+ + + + + + + + +',
    'GET /attendance/*': '+ + + + + + + + +',
    'GET /access': '+ + + + + + + + +',
    'GET /access/*': '+ + + + + + + + +',
    'GET /devices': '+ + + + + + + + +',
    'GET /devices/*': '+ + + + + + + + +',
    'GET /commission': '+ + + + + + + + +',
    'GET /commission/*': '+ + + + + + + + +',
    'GET /sync': '+ + + + + + + + +',
    'GET /sync/*': '+ + + + + + + + +',
    'GET /people': '+ + + + + + + + +',
    'GET /people/*': '+ + + + + + + + +',
    'GET /integrations': '+ + + + + + + + +',
    'GET /integrations/*': '+ + + + + + + + +',
    'GET /logs': '+ + + + + + + + +',
    'GET /logs/*': '+ + + + + + + + +',
    'GET /system': '+ + + + + + + + +',
    'GET /system/*': '+ + + + + + + + +',
    'GET /docs': '+ + + + + + + + +',
    'GET /docs/*': '+ + + + + + + + +',
    // Whom to tell of a weakness.
    'GET /.well-known/security.txt': '+ + + + + + + + +',
    'GET /openapi.json': '+ + + + + + + + +',
    ...oauth,
    ...services,
  },
  // Whoever may open the socket is an admin: its mode and the folder's keep everybody else out. It
  // serves parts of the admin API.
  socket: {
    'GET /admin/v1/status': '+ + + + + + + + +',
    'GET /admin/v1/devices/:id': '+ + + + + + + + +',
    'GET /admin/v1/site': '+ + + + + + + + +',
    'POST /admin/v1/site': '+ + + + + + + + +',
    'GET /admin/v1/export/:what': '+ + + + + + + + +',
    'GET /admin/v1/logs': '+ + + + + + + + +',
    'GET /admin/v1/attendance': '+ + + + + + + + +',
    'POST /admin/v1/attendance/sync': '+ + + + + + + + +',
    'POST /admin/v1/attendance/refused-writes/:id/:what': '+ + + + + + + + +',
    'POST /admin/v1/attendance/conflicts/:id/dismiss': '+ + + + + + + + +',
    'POST /admin/v1/attendance/uncertain-matches/:id/dismiss': '+ + + + + + + + +',
    'GET /admin/v1/services': '+ + + + + + + + +',
    'GET /admin/v1/grants': '+ + + + + + + + +',
    'POST /admin/v1/grants/:id/revoke': '+ + + + + + + + +',
    'GET /admin/v1/users/:name/sessions': '+ + + + + + + + +',
    'POST /admin/v1/users/:name/sessions/end': '+ + + + + + + + +',
    'GET /admin/v1/users': '+ + + + + + + + +',
    'PUT /admin/v1/users/:name': '+ + + + + + + + +',
    'DELETE /admin/v1/users/:name': '+ + + + + + + + +',
    'GET /admin/v1/tokens': '+ + + + + + + + +',
    'POST /admin/v1/tokens': '+ + + + + + + + +',
    'DELETE /admin/v1/tokens/:id': '+ + + + + + + + +',
    'GET /admin/v1/audit': '+ + + + + + + + +',
    'GET /admin/v1/audit/verify': '+ + + + + + + + +',
    'GET /admin/v1/audit/export': '+ + + + + + + + +',
    'GET /admin/v1/disk': '+ + + + + + + + +',
    'POST /admin/v1/disk/free': '+ + + + + + + + +',
    'POST /admin/v1/provision/scan': '+ + + + + + + + +',
    'POST /admin/v1/provision/info': '+ + + + + + + + +',
    'POST /admin/v1/provision/verify': '+ + + + + + + + +',
    'POST /admin/v1/provision/wifi': '+ + + + + + + + +',
    'GET /admin/v1/provision/results': '+ + + + + + + + +',
    'GET /admin/v1/setup': '+ + + + + + + + +',
    'POST /admin/v1/setup/hotspot': '+ + + + + + + + +',
    'POST /admin/v1/setup/reset-network': '+ + + + + + + + +',
    'POST /admin/v1/reset-all': '+ + + + + + + + +',
    'POST /admin/v1/devices/verify': '+ + + + + + + + +',
    'GET /admin/v1/naming': '+ + + + + + + + +',
    'GET /admin/v1/devices': '+ + + + + + + + +',
    'GET /admin/v1/devices/:id/qr': '+ + + + + + + + +',
    'GET /admin/v1/labels': '+ + + + + + + + +',
    'POST /admin/v1/doctor': '+ + + + + + + + +',
    'GET /admin/v1/update': '+ + + + + + + + +',
    'POST /admin/v1/update/inspect': '+ + + + + + + + +',
    'POST /admin/v1/update': '+ + + + + + + + +',
    'POST /admin/v1/update/rollback': '+ + + + + + + + +',
    'GET /admin/v1/backup': '+ + + + + + + + +',
    'POST /admin/v1/backup': '+ + + + + + + + +',
    'POST /admin/v1/recovery-key': '+ + + + + + + + +',
    'GET /admin/v1/parked': '+ + + + + + + + +',
    'POST /admin/v1/parked/send-again': '+ + + + + + + + +',
  },
} satisfies Record<'https' | 'http' | 'metrics' | 'socket' | 'hotspot', Table>;

/**
 * The listener `http` of a box in production: it sends everybody to https, whatever is asked for.
 */
export const httpInProduction: Table = { 'ALL /*': '> > > > > > > > >' };

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Clock } from '../platform/clock.ts';
import type { Store } from '../store/index.ts';
import type { ServiceCall, ServicesDoor } from './door.ts';
import type { HolidayService } from './holidays/service.ts';
import { appMessageData, type Messages, readTarget, shortMessageData } from './messages/messages.ts';
import { readIds } from './messages/requests.ts';
import type { PushStreams } from './messages/streams.ts';
import type { SpeechService } from './speech/service.ts';
import type { UpgradeService } from './upgrades/service.ts';
import type { WeatherService } from './weather/service.ts';

export interface ServedServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly holidays: HolidayService;
  readonly weather: WeatherService;
  readonly speech: SpeechService;
  readonly messages: Messages;
  readonly streams: PushStreams;
  readonly upgrades: UpgradeService;
}

/** Which path is which service (SPEC 4.7). */
export function serveServices(door: ServicesDoor, services: ServedServices): void {
  const { store, clock, holidays, weather, speech, messages, streams, upgrades } = services;

  door.get('/holiday', call => holidays.year(call.req.query('year')));
  door.get('/holiday/day', call => holidays.day(call.req.query('date')));
  door.get('/weather', call => weather.answer(call));

  door.get('/tts', async call => {
    const { text, name } = await speech.speak(call.req.query('text'), call.req.query('mode'));
    const url = door.link(call, `/public/speech/${name}.mp3`);
    return { origin_str: text, mp3_address: url, url };
  });
  door.routes.get('/public/speech/:file{[0-9a-f]+\\.mp3}', async call => {
    const bytes = await speech.read(call.req.param('file').slice(0, -4));
    if (!bytes) return call.json({ code: 404, msg: 'no such speech' }, 404);
    return call.body(bytes as Uint8Array<ArrayBuffer>, 200, {
      'Content-Type': 'audio/mpeg',
      'Cache-Control': 'private, max-age=86400',
    });
  });

  door.post('/message/app', (body, caller) => messages.pushToApps(body, caller));
  door.get('/message/app', async (call, { appId }) =>
    (await messages.find('app', readIds(call.req.query('msgIdList')), appId)).map(appMessageData),
  );
  door.stream('/message/app/stream', async (call, { appId }) => {
    const target = { appId, ...readTarget(new URL(call.req.url).searchParams) };
    await store.write.putPushTarget({ ...target, at: clock.now() });
    return streams.open(target);
  });
  door.post('/message/short-message', (body, caller) => messages.sendShort(body, caller));
  door.get('/message/short-message', async (call, { appId }) => ({
    msg_detail_list: (await messages.find('sms', readIds(call.req.query('msgIdList')), appId)).map(shortMessageData),
  }));

  door.get('/app/page/:appCode', call =>
    upgrades.page(
      call.req.param('appCode') ?? '',
      call.req.query('page'),
      call.req.query('size'),
      packageLink(door, call),
    ),
  );
  // The path as SPEC prints it joins the query to the code: all that stands behind is read at once.
  door.get('/app-upgrade/*', call => {
    const { pathname, search } = new URL(call.req.url);
    const rest = pathname.slice(pathname.indexOf('/app-upgrade/') + '/app-upgrade/'.length);
    return upgrades.newest(rest + search, packageLink(door, call));
  });
  door.routes.get('/public/package/:file', call => answerPackage(call, upgrades));
}

const packageLink = (door: ServicesDoor, call: ServiceCall) => (file: string) =>
  door.link(call, `/public/package/${encodeURIComponent(file)}`);

async function answerPackage(call: ServiceCall, upgrades: UpgradeService): Promise<Response> {
  const file = upgrades.fileOf(call.req.param('file') ?? '');
  const found = file === null ? null : await stat(file).catch(() => null);
  if (file === null || !found?.isFile()) return call.json({ code: 404, msg: 'no such package' }, 404);
  const { outgoing } = call.env;
  outgoing.writeHead(200, {
    'Content-Type': 'application/octet-stream',
    'Content-Length': String(found.size),
    'Content-Disposition': 'attachment',
    'X-Content-Type-Options': 'nosniff',
  });
  await pipeline(createReadStream(file), outgoing).catch(() => outgoing.destroy());
  return RESPONSE_ALREADY_SENT;
}

import type { ServiceCall, ServicesDoor } from './door.ts';
import type { HolidayService } from './holidays/service.ts';
import { appMessageData, type Messages, readTarget, shortMessageData } from './messages/messages.ts';
import { readIds } from './messages/requests.ts';
import type { SpeechService } from './speech/service.ts';
import type { UpgradeService } from './upgrades/service.ts';
import type { WeatherService } from './weather/service.ts';

export interface ServedServices {
  readonly holidays: HolidayService;
  readonly weather: WeatherService;
  readonly speech: SpeechService;
  readonly messages: Messages;
  readonly upgrades: UpgradeService;
}

/** Which path is which service (SPEC 4.7). */
export function serveServices(door: ServicesDoor, services: ServedServices): void {
  const { holidays, weather, speech, messages, upgrades } = services;

  door.get('/holiday', call => holidays.year(call.req.query('year')));
  door.get('/holiday/day', call => holidays.day(call.req.query('date')));
  door.get('/weather', call => weather.answer(call));

  door.get('/tts', async call => {
    const { text, name } = await speech.speak(call.req.query('text'), call.req.query('mode'));
    const url = door.link(call, `/public/speech/${name}.mp3`);
    return { origin_str: text, mp3_address: url, url };
  });
  door.publish('speech', name => speech.find(name));

  door.post('/message/app', (body, caller) => messages.pushToApps(body, caller));
  door.get('/message/app', async (call, { appId }) =>
    (await messages.find('app', readIds(call.req.query('msgIdList')), appId)).map(appMessageData),
  );
  door.stream('/message/app/stream', (call, { appId }) =>
    messages.openStream({ appId, ...readTarget(new URL(call.req.url).searchParams) }, call.req.header('last-event-id')),
  );
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
  door.publish('package', name => upgrades.find(name));
}

const packageLink = (door: ServicesDoor, call: ServiceCall) => (file: string) =>
  door.link(call, `/public/package/${encodeURIComponent(file)}`);

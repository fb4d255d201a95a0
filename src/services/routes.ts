import type { ServiceCall, ServicesApi } from './api.ts';
import type { HolidayService } from './holidays/service.ts';
import { appMessageData, type Messages, readTarget, shortMessageData } from './messages/messages.ts';
import { readIds } from './messages/requests.ts';
import type { SpeechService } from './speech/service.ts';
import type { UpgradeService } from './upgrades/service.ts';
import type { WeatherService } from './weather/service.ts';

interface ServedServices {
  readonly holidays: HolidayService;
  readonly weather: WeatherService;
  readonly speech: SpeechService;
  readonly messages: Messages;
  readonly upgrades: UpgradeService;
}

/** Which path is which service (SPEC 4.7). */
export function serveServices(api: ServicesApi, services: ServedServices): void {
  const { holidays, weather, speech, messages, upgrades } = services;

  api.get('/holiday', call => holidays.year(call));
  api.get('/holiday/day', call => holidays.day(call));
  api.get('/weather', call => weather.answer(call));

  api.get('/tts', async call => {
    const { text, name } = await speech.speak(call.req.query('text'), call.req.query('mode'));
    const url = api.link(call, `/public/speech/${name}.mp3`);
    return { origin_str: text, mp3_address: url, url };
  });
  api.publish('speech', name => speech.find(name));

  api.post('/message/app', (body, caller) => messages.pushToApps(body, caller));
  api.get('/message/app', async (call, { appId }) =>
    (await messages.find('app', readIds(call.req.query('msgIdList')), appId)).map(appMessageData),
  );
  api.stream('/message/app/stream', (call, { appId }) =>
    messages.openStream({ appId, ...readTarget(new URL(call.req.url).searchParams) }, call.req.header('last-event-id')),
  );
  api.post('/message/short-message', (body, caller) => messages.sendShort(body, caller));
  api.get('/message/short-message', async (call, { appId }) => ({
    msg_detail_list: (await messages.find('sms', readIds(call.req.query('msgIdList')), appId)).map(shortMessageData),
  }));

  api.get('/app/page/:appCode', call =>
    upgrades.page(
      call.req.param('appCode') ?? '',
      call.req.query('page'),
      call.req.query('size'),
      packageLink(api, call),
    ),
  );
  // SPEC prints the path with the query joined to the code, so everything after it is read as one
  // text.
  api.get('/app-upgrade/*', call => {
    const { pathname, search } = new URL(call.req.url);
    const rest = pathname.slice(pathname.indexOf('/app-upgrade/') + '/app-upgrade/'.length);
    return upgrades.newest(rest + search, packageLink(api, call));
  });
  api.publish('package', name => upgrades.find(name));
}

const packageLink = (api: ServicesApi, call: ServiceCall) => (file: string) =>
  api.link(call, `/public/package/${encodeURIComponent(file)}`);

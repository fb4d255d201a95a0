import type { IncomingMessage, ServerResponse } from 'node:http';
import { serviceLimits } from '../../../../src/platform/services.ts';
import type { Clock, Random } from '../../../../src/runtime/clock.ts';
import { localDays } from '../../../../src/runtime/wall-time.ts';
import type { ApiName } from '../api-faults.ts';
import { bodyOf, type CloudApi, jsonOf, sendJson } from '../http-server.ts';
import { type SimApp, SimServiceCallers } from './callers.ts';
import { SimFiles } from './files.ts';
import { holidayDay, holidayYear } from './holidays.ts';
import { SimMessages, type SimTemplate } from './messages.ts';
import { ServiceRefused, wrong } from './refused.ts';
import { SimSpeech } from './speech.ts';
import { type SimUpgrade, SimUpgrades } from './upgrades.ts';
import { weatherOf } from './weather.ts';

/** Data of the public services; each part as in a site file. */
export interface SimServicesOptions {
  readonly apps?: readonly SimApp[] | undefined;
  readonly app_upgrades?: readonly SimUpgrade[] | undefined;
  readonly message_templates?: readonly SimTemplate[] | undefined;
}

const own = /^\/api\/v?1\.0\.0\//;
const names: readonly (readonly [RegExp, ApiName])[] = [
  [/^file(\/|$)/, 'files'],
  [/^holiday(\/|$)/, 'holidays'],
  [/^weather$/, 'weather'],
  [/^tts$/, 'speech'],
  [/^message\//, 'messages'],
  [/^app(-upgrade)?\//, 'upgrades'],
];

/** The public services of SPEC 4.7, with the signature of SPEC 5.6 and the refusals of SPEC 7.2. */
export class SimServices implements CloudApi {
  readonly #callers: SimServiceCallers;
  readonly #clock: Clock;
  readonly #dayOf: (now: number) => string;
  readonly #files: SimFiles;
  readonly #speech = new SimSpeech();
  readonly messages: SimMessages;
  readonly #upgrades: SimUpgrades;

  constructor(options: SimServicesOptions, world: { clock: Clock; random: Random; timeZone: string }) {
    this.#clock = world.clock;
    this.#dayOf = localDays(world.timeZone);
    this.#callers = new SimServiceCallers(options.apps ?? [], world.clock);
    this.#files = new SimFiles(world.clock, world.random);
    this.messages = new SimMessages(options.message_templates ?? [], world.clock);
    this.#upgrades = new SimUpgrades(options.app_upgrades ?? []);
  }

  serves(path: string): boolean {
    return own.test(path) || path.startsWith('/public/');
  }

  nameOf(path: string): ApiName | null {
    if (path.startsWith('/public/')) return path.startsWith('/public/file/') ? 'files' : 'speech';
    const rest = path.replace(own, '');
    return names.find(([pattern]) => pattern.test(rest))?.[1] ?? null;
  }

  tooMany() {
    return { status: 429, body: { code: 429, msg: 'too many calls' } };
  }

  async serve(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    if (url.pathname.startsWith('/public/')) return this.#publish(request, response, url.pathname);
    try {
      const data = await this.#answer(request, url);
      sendJson(response, 200, { code: 0, msg: 'ok', data });
    } catch (error) {
      if (!(error instanceof ServiceRefused)) throw error;
      request.resume();
      sendJson(response, error.status, { code: error.code, msg: error.message });
    }
  }

  close(): void {
    this.#files.close();
  }

  async #answer(request: IncomingMessage, url: URL): Promise<unknown> {
    const caller = this.#callers.check(request.headers);
    const path = url.pathname.replace(own, '');
    const query = (name: string) => url.searchParams.get(name);
    const host = request.headers.host ?? 'cloud';
    const isPost = request.method === 'POST';
    if (isPost && path === 'file') return this.#files.upload(request, url.searchParams, caller.appId, host);
    if (isPost) {
      const body = await bodyOf(request, serviceLimits.jsonBytesMax);
      if (!body) throw new ServiceRefused(413, 'too large');
      const asked = jsonOf(body);
      if (!asked) throw wrong('the body is no JSON object');
      const send =
        path === 'message/app'
          ? () => this.messages.sendApp(asked, caller.appId)
          : path === 'message/short-message'
            ? () => this.messages.sendShort(asked, caller.appId)
            : null;
      if (!send) throw new ServiceRefused(404, 'no such path');
      return ((await this.#callers.once(caller, body, () => ({ id: send() }))) as { id: string }).id;
    }
    const today = this.#dayOf(this.#clock.now());
    if (path === 'holiday') return holidayYear(query('year'), today);
    if (path === 'holiday/day') return holidayDay(query('date'), today);
    if (path === 'weather') return weatherOf(query('location'), query('city'), this.#clock.now());
    if (path === 'tts') {
      const scheme = 'encrypted' in request.socket ? 'https' : 'http';
      const address = `${scheme}://${host}/public/speech/${this.#speech.speak(query('text'), query('mode'))}.mp3`;
      return { origin_str: query('text'), mp3_address: address, url: address };
    }
    if (path === 'message/app') return this.messages.findApp(query('msgIdList'), caller.appId);
    if (path === 'message/short-message') return this.messages.findShort(query('msgIdList'), caller.appId);
    if (path.startsWith('file/')) return this.#files.find(path.slice('file/'.length), caller.appId, host);
    if (path.startsWith('app/page/'))
      return this.#upgrades.page(decodeURIComponent(path.slice('app/page/'.length)), query('page'), query('size'));
    if (path.startsWith('app-upgrade/')) return this.#upgrades.newest(path.slice('app-upgrade/'.length) + url.search);
    throw new ServiceRefused(404, 'no such path');
  }

  /** Links that need no signature. */
  #publish(request: IncomingMessage, response: ServerResponse, path: string) {
    request.resume();
    const [, , kind, name = ''] = path.split('/');
    const mp3 = kind === 'speech' ? this.#speech.find(name.replace(/\.mp3$/, '')) : null;
    if (mp3)
      return void response.writeHead(200, { 'Content-Type': 'audio/mpeg', 'Content-Length': mp3.length }).end(mp3);
    const file = kind === 'file' ? this.#files.open(name) : null;
    if (!file) return sendJson(response, 404, { code: 404, msg: 'no such file' });
    response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
    file.on('error', () => response.destroy()).pipe(response);
  }
}

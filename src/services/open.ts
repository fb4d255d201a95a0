import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { type CallerUse, CallerUses } from '../platform/caller-uses.ts';
import { serviceLimits } from '../platform/services.ts';
import type { SignedRequest } from '../platform/signed-request.ts';
import type { Clock, Random, UnixMs } from '../runtime/clock.ts';
import type { FilePlace } from '../runtime/file-place.ts';
import type { Log } from '../runtime/log.ts';
import type {
  FileStore,
  MessageStore,
  Processes,
  RememberedStore,
  SharedStore,
  SignedCallStore,
  UpgradeStore,
} from '../store/index.ts';
import { ServicesApi } from './api.ts';
import { CloudServices, type SendToCloud } from './cloud.ts';
import { CloudFiles } from './files/cloud-files.ts';
import { Files } from './files/files.ts';
import { FileUploader } from './files/uploader.ts';
import type { DayAnswer, HolidayAnswer } from './holidays/calendar.ts';
import { HolidayService } from './holidays/service.ts';
import type { HolidayTable } from './holidays/table.ts';
import { CloudMessages } from './messages/cloud-messages.ts';
import { Messages } from './messages/messages.ts';
import { givenUpMs, MessageRelay } from './messages/relay.ts';
import { PushStreams } from './messages/streams.ts';
import { serveServices } from './routes.ts';
import { ServiceCallers } from './signing/callers.ts';
import { Once } from './signing/once.ts';
import { type MarkedServiceCall, ServiceRequests } from './signing/service-requests.ts';
import { type Download, SpeechService } from './speech/service.ts';
import type { OpenPackage } from './upgrades/package-mirror.ts';
import { UpgradeService } from './upgrades/service.ts';
import { WeatherService } from './weather/service.ts';

interface ServicesOptions {
  readonly store: FileStore & MessageStore & RememberedStore & SignedCallStore & UpgradeStore & SharedStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Of uploaded files, packages and speech. */
  readonly filePlace: FilePlace;
  /** Bytes of one uploaded file (`limits.file_bytes`). */
  readonly fileBytesMax: number;
  /** Address of this box for links, as the caller reached it: with TLS or without. */
  readonly addressOf: (host: string, overHttps: boolean) => string;
  /** `YYYY-MM-DD` where the site is. */
  readonly today: () => string;
  /** Cloud; null if the box stands alone. */
  readonly cloud: { readonly send: SendToCloud; readonly appId: string; readonly appKey: string } | null;
  readonly download: Download;
  readonly openPackage: OpenPackage;
  /** Of a region; absent or null: this is the only one. */
  readonly processes: Processes;
  readonly holidays?: HolidayTable | undefined;
  readonly place?: { readonly location?: string; readonly city?: string } | undefined;
  readonly speechCommand?: readonly string[] | undefined;
}

export interface Services extends AsyncDisposable {
  /** SPEC 4.7, to be mounted on the listeners. */
  readonly routes: OpenAPIHono<{ Bindings: HttpBindings }>;
  /** The year as the box has it, and its source. Throws for what is no year. */
  holidays(year: number): Promise<HolidayAnswer>;
  /** Rejected requests, and accepted ones of the last hour. */
  requests(): SignedRequest[];
  /** Rejected before the caller was known, newest first. */
  refusedCalls(): SignedRequest[];
  /** The last request of each app since the start. */
  uses(): ReadonlyMap<string, CallerUse>;
  /** Calls that were taken although something is wrong with them. */
  markedCalls(): MarkedServiceCall[];
  /** Whether each of these days `YYYY-MM-DD` is a workday, as far as any source says. */
  days(days: readonly string[]): Promise<DayAnswer[]>;
  /** The box's own messages (SPEC 4.7), in the name of an app. Both throw ServiceRefused. */
  push(body: unknown, appId: string): Promise<void>;
  sendShort(body: unknown, appId: string): Promise<void>;
  /** Counts of what waits for the cloud. */
  waiting(): Promise<{ readonly files: number; readonly messages: number; readonly refused: number }>;
  /** Removes uploaded files that were stored before a moment and wait for no cloud. */
  removeOldFiles(before: UnixMs): Promise<void>;
  /** Removes what has run out. */
  retire(): Promise<void>;
}

const dayMs = 24 * 3600_000;
/** Disk space that packages leave free. */
const packagesLeaveBytes = 512 << 20;
/** With the keys of so many apps a wrong signature is tried. */
const otherAppsMax = 50;

export async function openServices(options: ServicesOptions): Promise<Services> {
  const { store, clock, random, log, filePlace } = options;
  await using parts = new AsyncDisposableStack();
  const cloud = options.cloud && new CloudServices({ ...options.cloud, clock, random });
  const uses = new CallerUses(clock, use => store.write.seeApp(use));
  const requests = new ServiceRequests({
    clock,
    others: async () => (await store.read.apps(otherAppsMax)).map(({ appId, key }) => ({ id: appId, secret: key })),
    used: (appId, use) => uses.note(appId, use),
  });
  const callers = new ServiceCallers({ read: store.read, clock, requests, counts: store.shared.guesses });
  const once = new Once({ store, clock });

  let uploader: FileUploader | undefined;
  const files = await Files.open({
    store,
    clock,
    log,
    place: filePlace,
    fileBytesMax: options.fileBytesMax,
    once,
    cloudFiles: cloud && new CloudFiles({ store, cloud, clock }),
    poke: () => uploader?.poke(),
  });
  if (cloud) uploader = parts.use(new FileUploader({ store, files, cloud, clock, random, log }));
  files.sweepStrays().catch(error => log.warn({ error: String(error) }, 'incomplete_files_not_removed'));

  const streams = parts.adopt(new PushStreams(clock), one => one.close());
  const relay = cloud && parts.use(new MessageRelay({ store, cloud, clock, random, log }));
  const cloudMessages = cloud && new CloudMessages({ store, cloud, clock });
  const messages = new Messages({
    store,
    clock,
    log,
    streams,
    processes: options.processes,
    cloudMessages,
    poke: () => relay?.poke(),
  });
  const holidays = parts.adopt(
    new HolidayService({ store, clock, log, cloud, own: options.holidays, today: options.today }),
    one => one.close(),
  );
  const weather = parts.adopt(new WeatherService({ store, clock, log, cloud, place: options.place ?? null }), one =>
    one.close(),
  );
  const speech = parts.adopt(
    new SpeechService({
      folder: join(filePlace.folder, 'speech'),
      clock,
      log,
      cloud,
      download: cloud && options.download,
      command: options.speechCommand,
    }),
    one => one.close(),
  );
  const upgrades = parts.adopt(
    new UpgradeService({
      store,
      clock,
      log,
      cloud,
      folder: join(filePlace.folder, 'packages'),
      process: filePlace.process,
      openPackage: options.openPackage,
      roomBytes: async () => {
        const { bavail, bsize } = await statfs(filePlace.folder);
        return Math.max(0, bavail * bsize - packagesLeaveBytes);
      },
    }),
    one => one.close(),
  );

  const api = new ServicesApi({ clock, callers, requests, once, files, addressOf: options.addressOf });
  serveServices(api, { holidays, weather, speech, messages, upgrades });
  const opened = parts.move();
  return {
    routes: api.routes,
    holidays: year => holidays.answer(year),
    requests: () => requests.list(),
    refusedCalls: () => requests.refused(),
    uses: () => uses.all,
    markedCalls: () => requests.marked(),
    days: days => holidays.days(days),
    push: async (body, appId) => void (await messages.pushToApps(body, { appId })),
    sendShort: async (body, appId) => void (await messages.sendShort(body, { appId })),
    waiting: () => store.read.servicesWaiting(),
    removeOldFiles: before => files.removeOld(before),
    async retire() {
      const now = clock.now();
      await files.sweep();
      await speech.sweep();
      await Promise.all([
        store.write.retireMessages({ givenUpBefore: now - givenUpMs, before: now - 90 * dayMs }),
        // Either way of the clock, and as much again.
        store.write.retireSignedAnswers({ before: now - 4 * serviceLimits.signedAgeMsMax }),
        store.write.retireRemembered({ before: now - 7 * dayMs }),
      ]);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

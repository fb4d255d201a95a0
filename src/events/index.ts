import type { asyncApi } from './asyncapi.ts';
import type { Events, EventsOptions } from './port.ts';
import type { Webhooks, WebhooksOptions } from './webhooks/open.ts';

export type { DeviceCommands } from './commands.ts';
export { EventFeed, type Follower } from './feed.ts';
export type { DiscoveryFacts } from './home-assistant.ts';
export { placeSince } from './place-since.ts';
export type { Events, EventsOptions } from './port.ts';
export type { ProgramRefusal, ProgramReport } from './programs.ts';
export { type EventQuery, type EventStore, type RecordEvent, readEvents } from './record-events.ts';
export type { AlertFact, BoxFacts } from './state.ts';
export type { NotChanged, WebhookReport, Webhooks } from './webhooks/open.ts';

/** Opens the broker; it is loaded here alone, so that reading events needs none of it. */
export const openEvents = async (options: EventsOptions): Promise<Events> =>
  (await import('./open.ts')).openEvents(options);

/** The document of all topics; its schemas are loaded here alone. */
export const asyncApiDocument = async (...asked: Parameters<typeof asyncApi>): Promise<object> =>
  (await import('./asyncapi.ts')).asyncApi(...asked);

/** Opens the webhooks; they are loaded here alone. */
export const openWebhooks = async (options: WebhooksOptions): Promise<Webhooks> =>
  (await import('./webhooks/open.ts')).openWebhooks(options);

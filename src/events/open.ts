import { eventTopics, homeAssistantStatus } from '../platform/event-topics.ts';
import { BackgroundJob } from '../runtime/background-job.ts';
import type { Reason } from '../words/sentences.ts';
import { type Asked, EventBroker } from './broker.ts';
import { Commands } from './commands.ts';
import { Discovery } from './discovery.ts';
import { EventFeed } from './feed.ts';
import type { Events, EventsOptions } from './port.ts';
import { readEvents } from './record-events.ts';
import { Replays } from './replay.ts';
import { BoxState } from './state.ts';

const reviewMs = 5000;

/** Opens the broker for programs and what feeds it. Loaded only where `listen.events` is on. */
export async function openEvents(options: EventsOptions): Promise<Events> {
  const { store, clock, log, facts, devices, homeAssistant, newMid, codesOfTheBox, programOf } = options;
  await using opened = new AsyncDisposableStack();
  const feed = opened.use(new EventFeed({ store, clock, log }));
  const onRefused = (program: string, why: Reason) => broker.noteRefused(program, why);
  const replays = new Replays({ store, clock, onRefused });
  const commands = opened.use(new Commands({ devices, store, clock, log, newMid, codesOfTheBox, onRefused }));
  const failed = (code: 'program_replay_failed' | 'program_command_failed') => (error: unknown) =>
    log.warn({ error: String(error) }, code);
  const onAsked = (asked: Asked) => {
    if (asked.topic === eventTopics.replay) replays.take(asked).catch(failed('program_replay_failed'));
    else if (asked.topic === homeAssistantStatus) discovery?.hear(asked.payload.toString('utf8'));
    else if (asked.topic.startsWith(eventTopics.command('')))
      commands.take(asked).catch(failed('program_command_failed'));
  };
  const onWanted = () => feed.changed();
  const begun = () => feed.begun();
  const broker = opened.use(await EventBroker.open({ clock, log, programOf, onAsked, onWanted, begun }));
  opened.defer(feed.follow(broker));
  const publish = (topic: string, text: string, how?: { readonly retain: boolean }) => broker.publish(topic, text, how);
  opened.use(new BoxState({ facts, store, clock, log, publish }));
  const discovery = homeAssistant && opened.use(new Discovery({ facts: homeAssistant, store, clock, log, publish }));
  opened.use(
    new BackgroundJob({
      clock,
      everyMs: reviewMs,
      retryMs: () => reviewMs,
      firstAfterMs: reviewMs,
      async run() {
        broker.review(await store.read.tokens());
        await broker.sweep();
      },
      onFailed: error => log.warn({ error: String(error) }, 'program_tokens_not_checked'),
    }),
  );
  const running = opened.move();
  return {
    handle: (stream, from) => broker.handle(stream, from),
    programs: () => broker.report(),
    async read(query) {
      await store.level();
      return readEvents(store, query);
    },
    follow: follower => feed.follow(follower),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

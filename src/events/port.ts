import type { Duplex } from 'node:stream';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { AdminToken, JournalStore, LevelStore, ReadPart, Store, TokenReads } from '../store/index.ts';
import type { DeviceCommands } from './commands.ts';
import type { Follower } from './feed.ts';
import type { DiscoveryFacts } from './home-assistant.ts';
import type { ProgramReport } from './programs.ts';
import type { EventQuery, EventStore, RecordEvent } from './record-events.ts';
import type { BoxFacts } from './state.ts';

export interface EventsOptions {
  readonly store: EventStore &
    JournalStore &
    LevelStore &
    ReadPart<Pick<TokenReads, 'tokens'>> &
    Pick<Store, 'epoch' | 'onPeopleChange'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly facts: BoxFacts;
  readonly devices: DeviceCommands;
  /** Facts for Home Assistant; null if devices and box do not describe themselves there. */
  readonly homeAssistant: (() => DiscoveryFacts) | null;
  readonly newMid: () => string;
  /** Action codes that the box answers or sends itself: no program may send them. */
  readonly codesOfTheBox: ReadonlySet<number>;
  /** Program of a token; null if it is not a token of role `events`. */
  readonly programOf: (token: string) => Promise<AdminToken | null>;
}

/** Events for the site's own programs (docs/events.md). */
export interface Events extends AsyncDisposable {
  /** Takes over an MQTT connection of a program after its TLS handshake. */
  handle(stream: Duplex, from: { readonly address: string; readonly loggedIn: () => void }): void;
  /** Programs that have called since the start, and why they were refused. */
  programs(): readonly ProgramReport[];
  /** Past events; see `readEvents`. */
  read(query: EventQuery): Promise<RecordEvent[]>;
  /** New events from now on; returns what ends it. */
  follow(follower: Follower): () => void;
}

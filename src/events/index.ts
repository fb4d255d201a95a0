export type { DeviceCommands } from './commands.ts';
export type { Follower } from './feed.ts';
export { openEvents } from './open.ts';
export type { Events, EventsOptions } from './port.ts';
export type { ProgramReport } from './programs.ts';
export { type EventStore, type RecordEvent, readEvents } from './record-events.ts';
export type { AlertFact, BoxFacts } from './state.ts';

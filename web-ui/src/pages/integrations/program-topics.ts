/** Topics for a program, as the dialog offers them; the filter is that of its token. */
export const programTopics = {
  checkins: { filter: 'checkins/#', ofPeople: true },
  access: { filter: 'access/#', ofPeople: true },
  logs: { filter: 'logs/#', ofPeople: true },
  people: { filter: 'people/#', ofPeople: true },
  devices: { filter: 'devices/#', ofPeople: false },
  line: { filter: 'line', ofPeople: false },
  alerts: { filter: 'alerts/#', ofPeople: false },
  box: { filter: 'box', ofPeople: false },
} as const;
export type ProgramTopic = keyof typeof programTopics;
export const topicNames = Object.keys(programTopics) as readonly ProgramTopic[];

const root = 'gatehouse/v1/';

/** The topic that the dialog has for a filter; null: somebody wrote another one by a command. */
export const topicOf = (filter: string): ProgramTopic | null =>
  topicNames.find(name => `${root}${programTopics[name].filter}` === filter) ?? null;

/** As people write it. */
export const shortFilter = (filter: string): string => (filter.startsWith(root) ? filter.slice(root.length) : filter);

import type { CommandOption } from './command.ts';

const dataDir: CommandOption = { type: 'string', value: 'DIR', description: "the box's data directory" };
const config: CommandOption = { type: 'string', value: 'FILE', description: 'its config file' };

/** Options of every command that acts on a box. */
export const findsBox = { 'data-dir': dataDir, config } as const;

export const json: CommandOption = { type: 'boolean', description: 'one JSON document on standard output' };
export const device: CommandOption = { type: 'string', value: 'ID', description: 'one device' };

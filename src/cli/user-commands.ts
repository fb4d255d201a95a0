import type { Command, CommandOption } from './command.ts';
import { findsBox, json } from './common-options.ts';

const role: CommandOption = { type: 'string', choices: ['admin', 'staff', 'viewer'], description: 'what they may do' };
const personsRole: CommandOption = {
  ...role,
  choices: ['admin', 'staff', 'viewer', 'none'],
  description: 'what they may do; none: only sign in to applications',
};
const passwordFile: CommandOption = {
  type: 'string',
  value: 'FILE',
  description: 'its first line is the password; default: standard input',
};
const name = { name: 'NAME', required: true } as const;

/** The part of the table of commands that is about who manages the box. */
export const userCommands: readonly Command[] = [
  {
    name: 'user add',
    does: 'let somebody sign in',
    arguments: [name],
    options: {
      role: {
        ...personsRole,
        description: 'what they may do; default: viewer; none: only sign in to applications',
      },
      'password-file': passwordFile,
      ...findsBox,
    },
    load: async () => (await import('./users.ts')).userAdd,
  },
  {
    name: 'user role',
    does: 'change what somebody may do, or give a role to somebody who came from the cloud',
    arguments: [name],
    options: { role: personsRole, ...findsBox },
    examples: ["gatehouse user role 'mei 2' --role viewer"],
    load: async () => (await import('./users.ts')).userRole,
  },
  {
    name: 'user passwd',
    does: 'give somebody a new password',
    arguments: [name],
    options: { 'password-file': passwordFile, ...findsBox },
    load: async () => (await import('./users.ts')).userPasswd,
  },
  {
    name: 'user list',
    does: 'list who may sign in',
    options: { ...findsBox, json },
    load: async () => (await import('./users.ts')).userList,
  },
  {
    name: 'user rm',
    does: 'remove somebody who signs in',
    arguments: [name],
    options: { ...findsBox },
    load: async () => (await import('./users.ts')).userRemove,
  },
  {
    name: 'token create',
    does: 'make a bearer token for the admin API, or for a program that hears events, and print only the token',
    options: {
      role: {
        ...role,
        choices: ['admin', 'staff', 'viewer', 'events'],
        description: 'what they may do; events: a program of the site that hears events (docs/events.md)',
      },
      expires: { type: 'string', value: 'DAYS', description: 'such as 30d, at most 3650d; default: a year' },
      name: { type: 'string', value: 'NAME', description: 'what it is for; default: who made it' },
      topics: {
        type: 'string',
        value: 'FILTERS',
        description: 'of role events: what it may subscribe to, such as checkins/#,line; default: no data of people',
      },
      actions: {
        type: 'string',
        value: 'CODES',
        description: 'of role events: action codes that it may send to devices, such as 3001,3002; default: none',
      },
      ...findsBox,
    },
    examples: [
      'gatehouse token create --role viewer --expires 30d --name monitoring',
      'gatehouse token create --role events --name wall --topics checkins/#,line',
    ],
    load: async () => (await import('./users.ts')).tokenCreate,
  },
  {
    name: 'token list',
    does: 'list the bearer tokens, and when they were last used',
    options: { ...findsBox, json },
    load: async () => (await import('./users.ts')).tokenList,
  },
  {
    name: 'token rm',
    does: 'revoke a bearer token',
    arguments: [{ name: 'ID', required: true }],
    options: { ...findsBox },
    load: async () => (await import('./users.ts')).tokenRemove,
  },
];

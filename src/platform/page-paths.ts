/**
 * Where each page of the web UI is, with all that is below it. The program serves the UI at these
 * paths, and the UI opens the page that stands there.
 */
export const pagePaths = {
  today: '/',
  welcome: '/welcome',
  attendance: '/attendance',
  schedules: '/schedules',
  access: '/access',
  devices: '/devices',
  fleet: '/fleet',
  commission: '/commission',
  sync: '/sync',
  people: '/people',
  integrations: '/integrations',
  logs: '/logs',
  system: '/system',
  docs: '/docs',
  wall: '/wall',
  me: '/me',
} as const;

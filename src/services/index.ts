export { documentServices } from './documents.ts';
export type { HolidayAnswer } from './holidays/calendar.ts';
export { HolidayTableRefused, readHolidayTable } from './holidays/own-table.ts';
export { openServices, type Services } from './open.ts';

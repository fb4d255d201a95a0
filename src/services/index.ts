export { documentServices } from './documents.ts';
export { HolidayTableRefused, readHolidayTable } from './holidays/own-table.ts';
export { isLegalHoliday } from './holidays/statutory.ts';
export { openServices, type Services } from './open.ts';

<<<<<<< HEAD
export { openServices, type Services } from './open.ts';
=======
export { type DayAnswer, type HolidayAnswer, HolidayCalendar, type HolidaySource } from './holidays/calendar.ts';
export { type CloudYear, readCloudYear } from './holidays/cloud-year.ts';
export { NoSuchDay } from './holidays/day.ts';
export { HolidayTableRefused, readHolidayTable } from './holidays/own-table.ts';
export type { DayType, Holiday, HolidayDay, HolidayTable, HolidayYear } from './holidays/table.ts';
>>>>>>> afdf926 (Answer China's holidays and make-up workdays without a cloud)

export { type DayAnswer, type HolidayAnswer, HolidayCalendar, type HolidaySource } from './holidays/calendar.ts';
export { type CloudYear, readCloudYear } from './holidays/cloud-year.ts';
export { NoSuchDay } from './holidays/day.ts';
export { HolidayTableRefused, readHolidayTable } from './holidays/own-table.ts';
export type { DayType, Holiday, HolidayDay, HolidayTable, HolidayYear } from './holidays/table.ts';
export { openServices, type Services } from './open.ts';
export { SpeechBusy, SpeechFailed, SpeechUnavailable } from './speech/errors.ts';
export { openSpeech, type Speech, type SpeechOptions, type Spoken } from './speech/speech.ts';
export { type SpeechText, speechText, speechTextMax } from './speech/text.ts';

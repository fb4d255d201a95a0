/**
 * Body codes of the attendance API: SPEC 7.3, and from 201 on the box's own (SPEC 7.3 leaves them
 * open).
 */
export const attendanceCodes = {
  success: 0,
  wrong_key: 101,
  key_missing: 102,
  wrong_signature: 103,
  signature_missing: 104,
  timestamp_missing: 105,
  bad_body: 106,
  wrong_module: 107,
  organization_abnormal: 108,
  timeout: 109,
  too_many_calls: 110,
  ext_id_in_use: 201,
  department_has_employees: 202,
  unknown_id: 203,
} as const;
export type AttendanceCodeName = keyof typeof attendanceCodes;

/** Bounds of SPEC section 8 and of its open points; lengths in characters (code points). */
export const attendanceLimits = {
  extIdCharactersMax: 32,
  nameCharactersMax: 30,
  mobileCharactersMax: 20,
  employeeNumCharactersMax: 20,
  titleCharactersMax: 16,
  limitMax: 100,
  pageSizeMax: 500,
  pageSizeDefault: 100, // decision: page_size missing
  pageBytesMax: 8 << 20, // decision: a page with photos is cut there
  signedAgeMsMax: 10 * 60 * 1000, // decision: code 109, either way
  bodyBytesMax: 32 << 20, // decision
  usersMax: 100, // decision: of one feature_update
  featureValuesMax: 20, // decision: of one person, type and algorithm
  featureValueBytesMax: 2 << 20, // decision
} as const;

/** Whether a text has at most so many characters, counted as people do (code points). */
export const atMostCharacters = (value: string, max: number): boolean =>
  value.length <= max || [...value].length <= max;

/** Bounds of the public services: SPEC section 8 and its open points. */
export const serviceLimits = {
  fileBytesMax: 500 << 20,
  fileMonthsMax: 6,
  speechCharactersMax: 64,
  messageIdsMax: 10,
  shortMessageNumbersMax: 1000,
  signedAgeMsMax: 10 * 60 * 1000,
  signedAheadMsMax: 24 * 3600 * 1000, // decision: SPEC 7.2 speaks of behind alone
  /** POSTs of one app with a timestamp that is ahead, remembered until the signature is too old. */
  aheadCallsMax: 10_000, // decision
  nonceCharactersMax: 64, // decision: 6 in SPEC 5.6, up to 64 are read
  clientCharactersMax: 128, // decision
  fileNameCharactersMax: 255, // decision
  jsonBytesMax: 1 << 20, // decision
  targetsMax: 1000, // decision: identities and tags of one app push
  pageSizeMax: 100, // decision
} as const;

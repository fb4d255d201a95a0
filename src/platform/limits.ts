/**
 * Bounds with unit and source. Where CONTRACT section 2 lets an operator change one, the config's
 * `limits` overrides it.
 */
export const limits = {
  productIdCharactersMax: 16, // SPEC 2.1
  deviceIdCharactersMax: 64, // SPEC 2.2
  keepAliveSecondsMin: 30, // SPEC 5.1
  keepAliveSecondsMax: 60, // SPEC 5.1
  keepAliveSecondsServedMax: 300, // decision: over HTTP longer ones are served as this
  idleSecondsWithoutKeepAlive: 600, // decision: Keep Alive 0
  logBytesMax: 4096, // SPEC 8, "log size per record"
  logModelBytesMax: 128, // decision: of a log topic; the journal has 255 bytes for model and sn
  logsPerSecondMax: 20, // SPEC 8, any 1000 ms
  logsPerDayMax: 10_000, // SPEC 8, the day of the site's time zone
  connectBytesMax: 2048, // CONTRACT 7: an MQTT CONNECT, before anybody has logged in
  messageBytesMax: 1 << 20, // decision: MQTT payload of an envelope
  inboxMessagesMax: 1000, // decision: waiting for one device
  pullBatchMax: 100, // decision: envelopes in one pull
  pullBytesMax: 1 << 20, // decision: bytes in one pull
  pullsPerSecondMax: 5, // decision: for each device
  midBytesMax: 128, // decision: kept of a message id
  httpSessionPeriods: 3, // SPEC 5.2 leaves the number open; DESIGN 5
  httpSessionSecondsMin: 90, // CONTRACT 7
  batchRecordsMax: 1000, // CONTRACT 5
  batchBytesMax: 1 << 20, // CONTRACT 5, before compression
  newDevicesPerHour: 500, // decision: of one product, by the product key alone
  nextKeysMax: 4, // decision: keys handed over to one device by further activations and not used yet
  deviceKeyGraceMs: 24 * 3600 * 1000, // CONTRACT 4: both keys until the first login with the new one, 24 h at most
  qrCharactersMax: 4296, // the most that a QR code holds of letters and digits
  labelsMax: 2000, // decision: of one sheet
  productKeyWindowMs: 15 * 60 * 1000, // DESIGN 5: opened by staff after a factory reset
  newDevicesWindowMs: 3600 * 1000, // DESIGN 5: opened by staff on the day of installation
} as const;

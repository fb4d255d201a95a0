/** A line of bytes to one device, over whatever radio. */
export interface Channel extends AsyncDisposable {
  /**
   * Splits to what the radio carries. Rejects with a `SiteDeviceFailure` when the device is gone.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Packets as they come, of whatever size. One listener. */
  onPacket(listener: (packet: Uint8Array) => void): void;
  /** Settles, with why, when nothing will come any more: the device left, or the adapter did. */
  readonly gone: Promise<Error>;
}

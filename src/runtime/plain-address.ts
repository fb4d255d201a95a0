/**
 * An address in one spelling, in lower case: an IPv4 address that is written as IPv6 is the IPv4
 * address (RFC 4291, section 2.5.5.2), `::ffff:192.0.2.1` and `::ffff:c000:201` alike. Any other
 * text stays what it is.
 */
export function plainAddress(address: string): string {
  const text = address.toLowerCase();
  const mapped = /^(?:::|(?:0{1,4}:){5})ffff:(?:([0-9.]{7,15})|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/.exec(text);
  if (!mapped) return text;
  const [, dotted, high, low] = mapped;
  if (dotted !== undefined) return dotted;
  const bytes = [high!, low!].map(group => Number.parseInt(group, 16)).flatMap(two => [two >> 8, two & 0xff]);
  return bytes.join('.');
}

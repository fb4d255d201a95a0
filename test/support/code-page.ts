/** Text in a code page, as Excel of that language saves it; throws where the page lacks a character. */
export function inCodePage(text: string, page: string): Uint8Array {
  const bytesOf = encoderOf(page);
  return Buffer.concat(
    [...text].map(one => {
      const bytes = bytesOf.get(one);
      if (!bytes) throw new Error(`${page} has no ${one}`);
      return bytes;
    }),
  );
}

const encoders = new Map<string, Map<string, Uint8Array>>();

/** The decoder turned round: every character of one or two bytes. */
function encoderOf(page: string): Map<string, Uint8Array> {
  const known = encoders.get(page);
  if (known) return known;
  const decoder = new TextDecoder(page);
  const made = new Map<string, Uint8Array>();
  const put = (bytes: Uint8Array) => {
    const text = decoder.decode(bytes);
    if ([...text].length === 1 && text !== '\ufffd' && !made.has(text)) made.set(text, bytes);
  };
  for (let one = 0; one < 256; one++) put(Uint8Array.of(one));
  for (let lead = 0x81; lead < 0xff; lead++)
    for (let trail = 0x40; trail < 0xff; trail++) put(Uint8Array.of(lead, trail));
  encoders.set(page, made);
  return made;
}

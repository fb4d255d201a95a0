import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { markShared } from './shared-bytes.ts';

const zipped = promisify(gzip);

/** A shorter text fits into one packet or two: nothing is won. */
const worthIt = 2048;

/** Characters, which are at least as many bytes: a longer text would hold a core for too long. */
const lengthMax = 8 << 20;

interface TextBody {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The body of a response, compressed with gzip on a thread of Node's pool if the client accepts it
 * and the text is between 2 KiB and 8 MiB long. For responses that other sites cannot ask for in
 * the name of a person (the session's cookie is `SameSite=Strict`, tokens are headers): a length
 * says something about what was compressed.
 */
export async function compressed(text: string, acceptEncoding: string | undefined): Promise<TextBody> {
  const headers = { Vary: 'Accept-Encoding' };
  if (text.length < worthIt || text.length > lengthMax || !acceptsGzip(acceptEncoding)) return { body: text, headers };
  const bytes = await zipped(text, { level: 6 });
  return { body: new Uint8Array(bytes), headers: { ...headers, 'Content-Encoding': 'gzip' } };
}

/**
 * A text that every caller may have. Each of its forms is made once, and all answers share its
 * bytes.
 */
export class SharedText {
  readonly #text: string;
  readonly #plain: Uint8Array<ArrayBuffer>;
  #gzip: Promise<TextBody> | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#plain = markShared(new TextEncoder().encode(text));
  }

  /** As `compressed` does. */
  async body(acceptEncoding: string | undefined): Promise<TextBody> {
    if (!acceptsGzip(acceptEncoding)) return { body: this.#plain, headers: { Vary: 'Accept-Encoding' } };
    this.#gzip ??= compressed(this.#text, 'gzip').then(({ body, headers }) => ({
      body: typeof body === 'string' ? this.#plain : markShared(body),
      headers,
    }));
    return this.#gzip;
  }
}

/** RFC 9110 12.5.3: a weight of 0 refuses it. */
const acceptsGzip = (accepted = ''): boolean => /(^|[\s,])gzip(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted);

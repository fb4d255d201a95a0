import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { markShared } from './shared-bytes.ts';
import { zstdCompressed } from './zstd.ts';

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
 * The body of a response, compressed with zstd or gzip as the client accepts, if the text is
 * between 2 KiB and 8 MiB long; more than 16 KiB on a thread of Node's pool. Only for answers
 * without secrets (docs/decisions/admin-api.md): a length reveals something of its content.
 */
export async function compressed(text: string, acceptEncoding: string | undefined): Promise<TextBody> {
  const headers = { Vary: 'Accept-Encoding' };
  const encoding = text.length < worthIt || text.length > lengthMax ? null : encodingFor(acceptEncoding);
  if (encoding === null) return { body: text, headers };
  const bytes = await (encoding === 'zstd' ? zstdCompressed(Buffer.from(text)) : zipped(text, { level: 6 }));
  return { body: new Uint8Array(bytes), headers: { ...headers, 'Content-Encoding': encoding } };
}

/**
 * A text that every caller may have. Each of its forms is made once, and all answers share its
 * bytes.
 */
export class SharedText {
  readonly #text: string;
  readonly #plain: Uint8Array<ArrayBuffer>;
  readonly #packed = new Map<Encoding, Promise<TextBody>>();

  constructor(text: string) {
    this.#text = text;
    this.#plain = markShared(new TextEncoder().encode(text));
  }

  /** As `compressed` does. */
  async body(acceptEncoding: string | undefined): Promise<TextBody> {
    const encoding = encodingFor(acceptEncoding);
    if (encoding === null) return { body: this.#plain, headers: { Vary: 'Accept-Encoding' } };
    const known = this.#packed.get(encoding);
    if (known) return known;
    const made = compressed(this.#text, encoding).then(({ body, headers }) => ({
      body: typeof body === 'string' ? this.#plain : markShared(body),
      headers,
    }));
    this.#packed.set(encoding, made);
    return made;
  }
}

/** Best first: for a page of people zstd takes a fifth of the time of gzip, and is smaller. */
const encodings = ['zstd', 'gzip'] as const;
type Encoding = (typeof encodings)[number];

const encodingFor = (accepted = ''): Encoding | null => encodings.find(name => accepts(name, accepted)) ?? null;

/** RFC 9110 12.5.3: a weight of 0 refuses it. */
const accepts = (name: Encoding, accepted: string): boolean =>
  accepted.split(',').some(one => {
    const [coding = '', ...parameters] = one.split(';').map(part => part.trim().toLowerCase());
    return coding === name && !parameters.some(parameter => /^q=0(\.0*)?$/.test(parameter));
  });

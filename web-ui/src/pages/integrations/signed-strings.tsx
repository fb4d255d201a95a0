import type { RequestReport } from '../../../../src/admin/ui/integrations.ts';
import type { SignedPart } from '../../../../src/platform/signature.ts';
import { integrationWords } from './words.ts';

interface Marked {
  readonly parts: readonly SignedPart[];
  /** Index of the part that is marked; the number of parts: the end of the string. */
  readonly at?: number | undefined;
  /** Word beside the name of the marked part. */
  readonly mark?: string;
  /** The string beside this one. */
  readonly other?: readonly SignedPart[];
}

/** A string that an MD5 covers, with each part named; one may be marked, in words too. */
export function SignedString({ parts, at, mark, other = [] }: Marked) {
  const said = integrationWords.value;
  return (
    <ol class="signed-string mono">
      {parts.map((part, index) => (
        <li key={index} class={index === at ? 'differs' : undefined}>
          <span class="part-text">
            {index === at ? <FromDifference part={part} other={other[index]} /> : visible(part.text)}
          </span>
          <span class="part-name">
            {partName(part.name)}
            {index === at && ` (${mark})`}
          </span>
        </li>
      ))}
      {at === parts.length && (
        <li class="differs">
          <span class="part-text">{said.stringEnd}</span>
          <span class="part-name">{mark}</span>
        </li>
      )}
    </ol>
  );
}

/** Marked from the first character that differs. */
function FromDifference({ part, other }: { part: SignedPart; other: SignedPart | undefined }) {
  const beside = other?.name === part.name ? other.text : '';
  let same = 0;
  while (same < part.text.length && part.text[same] === beside[same]) same++;
  return (
    <>
      {visible(part.text.slice(0, same))}
      <mark>{visible(part.text.slice(same))}</mark>
    </>
  );
}

/** Line ends and blanks at the end are what differs at times. */
function visible(text: string): string {
  const shown = text.replaceAll('\n', '↵').replaceAll('\r', '␍');
  const bare = shown.trimEnd();
  return bare + '␣'.repeat(shown.length - bare.length);
}

const partName = (name: SignedPart['name']): string =>
  (integrationWords.value.partNames as Partial<Readonly<Record<SignedPart['name'], string>>>)[name] ?? name;

type Rejected = Pick<RequestReport, 'parts'> & { readonly why: NonNullable<RequestReport['why']> };

/** The string of the caller beside the right one; the first difference is marked in both. */
export function SignedStrings({ parts, why }: Rejected) {
  const said = integrationWords.value;
  const { signed, digest, differs } = why;
  const likely = parts.findIndex(({ name }) => name === differs);
  const at = why.differs_at ?? (signed.length === 0 && likely >= 0 ? likely : undefined);
  const mark = why.differs_at === null ? said.likelyMark : said.differsMark;
  return (
    <>
      {why.differs_at !== null && <p>{firstDifference(signed[why.differs_at]?.name, parts[why.differs_at]?.name)}</p>}
      <div class="signed-strings">
        <section>
          <h3>{said.youSigned}</h3>
          {signed.length > 0 ? (
            <SignedString parts={signed} at={at} mark={mark} other={parts} />
          ) : (
            <p class="quiet">{digest === '' ? said.signedUnknown : said.signedOtherDigest}</p>
          )}
          {digest !== '' && (
            <p>
              {said.digest} <mark class="mono">{digest}</mark>
            </p>
          )}
        </section>
        <section>
          <h3>{said.expected}</h3>
          <SignedString parts={parts} at={at} mark={mark} other={signed} />
          {digest !== '' && (
            <p>
              {said.digest} <mark class="mono">{said.md5}</mark>
            </p>
          )}
        </section>
      </div>
      <p class="quiet">{said.maskNote}</p>
    </>
  );
}

function firstDifference(yours: SignedPart['name'] | undefined, ours: SignedPart['name'] | undefined): string {
  const said = integrationWords.value.firstDifference;
  if (!yours) return said.missing(partName(ours!));
  if (!ours) return said.more(partName(yours));
  return yours === ours ? said.other(partName(yours)) : said.instead(partName(yours), partName(ours));
}

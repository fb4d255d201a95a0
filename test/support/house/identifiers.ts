import { SyntaxKind } from 'typescript/unstable/ast';
import { createScanner } from 'typescript/unstable/ast/scanner';

/** A token behind which a slash divides. */
const endsOperand: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.PrivateIdentifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.ThisKeyword,
  // A slash behind it closes an element.
  SyntaxKind.LessThanToken,
]);

interface Token {
  readonly kind: SyntaxKind;
  /** Of a name, a string, or a part of a template. */
  readonly value: string;
}

/** The tokens of a TypeScript file, in order, without comments. */
function* tokensOf(text: string): Generator<Token> {
  const scanner = createScanner(true, undefined, text);
  /** Of each template that is open, how many braces are open within its hole. */
  const holes: number[] = [];
  let before = SyntaxKind.Unknown;
  for (let token = scanner.scan(); token !== SyntaxKind.EndOfFile; token = scanner.scan()) {
    if (token === SyntaxKind.SlashToken || token === SyntaxKind.SlashEqualsToken) {
      if (!endsOperand.has(before)) token = scanner.reScanSlashToken();
    } else if (token === SyntaxKind.TemplateHead) holes.push(0);
    else if (token === SyntaxKind.OpenBraceToken && holes.length > 0) holes[holes.length - 1]!++;
    else if (token === SyntaxKind.CloseBraceToken && holes.length > 0) {
      if (holes.at(-1) === 0) {
        token = scanner.reScanTemplateToken(false);
        if (token === SyntaxKind.TemplateTail) holes.pop();
      } else holes[holes.length - 1]!--;
    }
    yield { kind: token, value: scanner.getTokenValue() };
    before = token;
  }
}

/** The identifiers of a TypeScript file, in order: neither comments, strings nor keywords. */
export const identifiersOf = (text: string): string[] =>
  [...tokensOf(text)]
    .filter(({ kind }) => kind === SyntaxKind.Identifier || kind === SyntaxKind.PrivateIdentifier)
    .map(({ value }) => value.replace(/^#/, ''));

export interface NamedText {
  /** Name of the property that it is, or is within; empty: none. */
  readonly name: string;
  readonly text: string;
}

/** The texts of a TypeScript file: strings, and templates with an ellipsis in place of each value. */
export function textsOf(text: string): NamedText[] {
  const found: NamedText[] = [];
  const templates: string[] = [];
  /** Of each brace that is open: the name of its last property, and the parentheses that are open within it. */
  const braces = [{ name: '', parentheses: 0 }];
  let before: Token = { kind: SyntaxKind.Unknown, value: '' };
  for (const token of tokensOf(text)) {
    const { kind, value } = token;
    const brace = braces.at(-1)!;
    const { name } = brace;
    if (kind === SyntaxKind.OpenParenToken) brace.parentheses++;
    else if (kind === SyntaxKind.CloseParenToken) brace.parentheses--;
    else if (kind === SyntaxKind.OpenBraceToken) braces.push({ name, parentheses: 0 });
    else if (kind === SyntaxKind.CloseBraceToken && braces.length > 1) braces.pop();
    else if (kind === SyntaxKind.ColonToken && before.kind === SyntaxKind.Identifier && brace.parentheses === 0)
      brace.name = before.value;
    else if (kind === SyntaxKind.StringLiteral || kind === SyntaxKind.NoSubstitutionTemplateLiteral)
      found.push({ name, text: value });
    else if (kind === SyntaxKind.TemplateHead) templates.push(value);
    else if (kind === SyntaxKind.TemplateMiddle) templates[templates.length - 1] += `…${value}`;
    else if (kind === SyntaxKind.TemplateTail) found.push({ name, text: `${templates.pop()}…${value}` });
    before = token;
  }
  return found;
}

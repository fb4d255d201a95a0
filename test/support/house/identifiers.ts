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

/** The identifiers of a TypeScript file, in order: neither comments, strings nor keywords. */
export function identifiersOf(text: string): string[] {
  const scanner = createScanner(true, undefined, text);
  const found: string[] = [];
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
    if (token === SyntaxKind.Identifier || token === SyntaxKind.PrivateIdentifier)
      found.push(scanner.getTokenValue().replace(/^#/, ''));
    before = token;
  }
  return found;
}

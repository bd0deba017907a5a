import * as l10n from '@vscode/l10n';
import { printParseErrorCode, type ParseErrorCode } from 'jsonc-parser';

const messages: Readonly<Record<string, string>> = {
  InvalidNumberFormat: l10n.t('Invalid JSON: invalid number format'),
  PropertyNameExpected: l10n.t('Invalid JSON: property name expected'),
  ValueExpected: l10n.t('Invalid JSON: value expected'),
  ColonExpected: l10n.t('Invalid JSON: colon expected'),
  CommaExpected: l10n.t('Invalid JSON: comma expected'),
  CloseBraceExpected: l10n.t('Invalid JSON: closing brace expected'),
  CloseBracketExpected: l10n.t('Invalid JSON: closing bracket expected'),
  EndOfFileExpected: l10n.t('Invalid JSON: end of file expected'),
  UnexpectedEndOfComment: l10n.t('Invalid JSON: unexpected end of comment'),
  UnexpectedEndOfString: l10n.t('Invalid JSON: unexpected end of string'),
  UnexpectedEndOfNumber: l10n.t('Invalid JSON: unexpected end of number'),
  InvalidUnicode: l10n.t('Invalid JSON: invalid Unicode sequence in a string'),
  InvalidEscapeCharacter: l10n.t('Invalid JSON: invalid escape character in a string'),
  InvalidCharacter: l10n.t('Invalid JSON: invalid character in a string'),
};

/** Returns the message of a syntax error. */
export function formatSyntaxError(error: ParseErrorCode): string {
  return messages[printParseErrorCode(error)] ?? l10n.t('Invalid JSON: invalid symbol');
}

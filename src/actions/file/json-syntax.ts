import * as l10n from '@vscode/l10n';
import { printParseErrorCode, type ParseErrorCode } from 'jsonc-parser';

/** Returns the message of a syntax error. */
export function formatSyntaxError(error: ParseErrorCode): string {
  switch (printParseErrorCode(error)) {
    case 'InvalidNumberFormat':
      return l10n.t('Invalid JSON: invalid number format');
    case 'PropertyNameExpected':
      return l10n.t('Invalid JSON: property name expected');
    case 'ValueExpected':
      return l10n.t('Invalid JSON: value expected');
    case 'ColonExpected':
      return l10n.t('Invalid JSON: colon expected');
    case 'CommaExpected':
      return l10n.t('Invalid JSON: comma expected');
    case 'CloseBraceExpected':
      return l10n.t('Invalid JSON: closing brace expected');
    case 'CloseBracketExpected':
      return l10n.t('Invalid JSON: closing bracket expected');
    case 'EndOfFileExpected':
      return l10n.t('Invalid JSON: end of file expected');
    case 'UnexpectedEndOfComment':
      return l10n.t('Invalid JSON: unexpected end of comment');
    case 'UnexpectedEndOfString':
      return l10n.t('Invalid JSON: unexpected end of string');
    case 'UnexpectedEndOfNumber':
      return l10n.t('Invalid JSON: unexpected end of number');
    case 'InvalidUnicode':
      return l10n.t('Invalid JSON: invalid Unicode sequence in a string');
    case 'InvalidEscapeCharacter':
      return l10n.t('Invalid JSON: invalid escape character in a string');
    case 'InvalidCharacter':
      return l10n.t('Invalid JSON: invalid character in a string');
    default:
      return l10n.t('Invalid JSON: invalid symbol');
  }
}

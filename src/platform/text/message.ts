/** Texts that are formatted when they are shown, so that what is stored has no language. */
import * as l10n from '@vscode/l10n';
import { formatNumber, pluralize } from './localization.ts';
import { toPlainText } from './plain-text.ts';

/** The arguments of `l10n.t`: the English text finds the translation, and is shown if there is none. */
export interface Message {
  readonly message: string;
  readonly args: readonly (StoredText | number)[];
  /** of the message, for translators */
  readonly comment?: string | undefined;
}

/** A message, or a text that is the same in all languages, such as one of a server. */
export type StoredText = string | Message;

/** An error whose message can be stored: `message` is in the display language, `text` in none. */
export class MessageError extends Error {
  readonly text: StoredText;
  constructor(text: StoredText, options?: ErrorOptions) {
    super(formatText(text), options);
    this.text = text;
  }
}

/**
 * Creates a message as `l10n.t` takes it: `message` is a literal. One with plural forms, which are separated by `|`, has
 * its count as the first argument.
 */
export function stored(
  message: string | { readonly message: string; readonly comment: string },
  ...args: Message['args']
): Message {
  return typeof message === 'string' ? { message, args } : { ...message, args };
}

/** Formats a text in the display language. Messages within it lose their full stop. */
export function formatText(text: StoredText): string {
  if (typeof text === 'string') return text;
  const { message, comment = '' } = text;
  const args = text.args.map((arg) => {
    if (typeof arg === 'number') return formatNumber(arg);
    return typeof arg === 'string' ? arg : formatText(arg).replace(/\.$/, '');
  });
  const [count = '', ...others] = args;
  if (message.includes('|')) return pluralize(Number(count), l10n.t({ message, args: [], comment }), ...others);
  return l10n.t({ message, args, comment });
}

/** Formats a text as one plain line without the full stop of its end. */
export function formatSentence(text: StoredText, maxLength: number): string {
  return toPlainText(formatText(text).replace(/\.$/, ''), maxLength);
}

/** Changes the texts of a message that are the same in all languages. */
export function mapText(text: StoredText, change: (part: string) => string): StoredText {
  if (typeof text === 'string') return change(text);
  return { ...text, args: text.args.map((arg) => (typeof arg === 'number' ? arg : mapText(arg, change))) };
}

/** Two sentences; only the first if there is no second one. */
export function joinSentences(first: StoredText, second: StoredText | undefined): StoredText {
  return second === undefined ? first : stored('{0}. {1}', first, second);
}

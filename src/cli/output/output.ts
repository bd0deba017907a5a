/** Standard output and standard error of a command. */
import { styleText } from 'node:util';
import { toPlainLines } from '../../platform/text/plain-text.ts';
import { formatSentence, sanitizeTerminalLine } from './sanitize.ts';

export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red';

/** The part of a stream that output uses. */
export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  hasColors?(environment: object): boolean;
  write(text: string, done: (error?: Error | null) => void): boolean;
}

export interface Output {
  /** standard output is a terminal: its text is for people */
  readonly isTerminal: boolean;
  /** columns of the terminal */
  readonly width: number;
  /** Resolves when the text was written, or can no longer be. Its server text must be sanitized. */
  write(text: string): Promise<void>;
  /** As `write`, for the content of a file: unchanged in a pipe, without control characters on a terminal. */
  writeContent(text: string): Promise<void>;
  /** Colours text that is sanitized, on a terminal with colours. */
  style(style: Style, text: string): string;
  /** Prints a sentence for people on standard error. */
  note(sentence: string): void;
}

const DEFAULT_WIDTH = 100;
/** Terminals of unknown size have none. */
const MIN_WIDTH = 40;

/** `environment`: NO_COLOR turns colours off. */
export function createOutput(
  stdout: OutputStream,
  stderr: OutputStream,
  environment: Readonly<Record<string, string | undefined>>,
): Output {
  const isTerminal = stdout.isTTY === true;
  const hasColors =
    isTerminal && (environment['NO_COLOR'] ?? '') === '' && stdout.hasColors?.({ ...environment }) === true;
  const write = (text: string): Promise<void> =>
    new Promise((resolve) => {
      stdout.write(text, () => resolve());
    });
  return {
    isTerminal,
    width: Math.max(MIN_WIDTH, stdout.columns ?? DEFAULT_WIDTH),
    write,
    writeContent: (text) => write(isTerminal ? toPlainLines(text) : text),
    style: (style, text) => (hasColors ? styleText(style, text, { validateStream: false }) : text),
    note: (sentence) => {
      stderr.write(`${sanitizeTerminalLine(formatSentence(sentence))}\n`, () => undefined);
    },
  };
}

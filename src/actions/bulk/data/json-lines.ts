/** Splits JSON texts into their elements, as streams. */
import * as l10n from '@vscode/l10n';

const MAX_ELEMENT_LENGTH = 1024 * 1024;

/** One element of a text, with its line, from 1. */
interface JsonElement {
  readonly text: string;
  readonly line: number;
}

/** The non-empty lines of a text. Iterating rejects with Error, for users, for a line that is too long. */
export async function* splitLines(text: AsyncIterable<string>, name: string): AsyncGenerator<JsonElement> {
  let rest = '';
  let line = 1;
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const one of lines) {
      if (one.trim() !== '') yield { text: one, line };
      line++;
    }
    if (rest.length > MAX_ELEMENT_LENGTH) throw createLengthError(name, line);
  }
  if (rest.trim() !== '') yield { text: rest, line };
}

/**
 * The elements of a JSON array of objects. Iterating rejects with Error, for users, for any other text; whether each element
 * is JSON is for the caller to find out.
 */
export async function* splitArray(text: AsyncIterable<string>, name: string): AsyncGenerator<JsonElement> {
  const notAnArray = (line: number): Error =>
    new Error(l10n.t('{0}, line {1}: expected a JSON array of objects', name, line));
  let state: 'start' | 'inside' | 'end' = 'start';
  let element = '';
  let depth = 0;
  let inString = false;
  let escaped = false;
  let line = 1;
  let elementLine = 1;
  for await (const chunk of text) {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const letter = chunk[at] ?? '';
      if (letter === '\n') line++;
      if (inString) {
        if (escaped) escaped = false;
        else if (letter === '\\') escaped = true;
        else if (letter === '"') inString = false;
      } else if (depth === 0) {
        if (/\s/.test(letter)) continue;
        if (state === 'start' && letter === '[') state = 'inside';
        else if (state === 'inside' && letter === ']') state = 'end';
        else if (state === 'inside' && letter === '{') {
          depth = 1;
          from = at;
          elementLine = line;
        } else if (state !== 'inside' || letter !== ',') throw notAnArray(line);
      } else if (letter === '"') inString = true;
      else if (letter === '{' || letter === '[') depth++;
      else if ((letter === '}' || letter === ']') && --depth === 0) {
        yield { text: element + chunk.slice(from, at + 1), line: elementLine };
        element = '';
      }
    }
    if (depth > 0) element += chunk.slice(from);
    if (element.length > MAX_ELEMENT_LENGTH) throw createLengthError(name, elementLine);
  }
  if (state !== 'end') throw notAnArray(line);
}

function createLengthError(name: string, line: number): Error {
  return new Error(l10n.t('{0}, line {1}: a row is longer than 1 MB', name, line));
}

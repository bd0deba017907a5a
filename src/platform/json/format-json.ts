/** Formats the server's JSON text: fields in their order, numbers to the digit, secrets masked. */
import { createScanner, findNodeAtLocation, parseTree, type JSONPath } from 'jsonc-parser';
import { PlatformError } from '../errors.ts';
import { limitJson, MAX_JSON_DEPTH, TOO_DEEP } from './json-limits.ts';
import { createMask, isSecretName, MASK, type Secrets } from './secrets.ts';
import { formatNumber } from '../text/localization.ts';
import { stored } from '../text/message.ts';

/** Characters of formatted text. Indentation can make a text a hundred times longer. */
const MAX_FORMATTED_LENGTH = 64 * 1024 * 1024;

/**
 * Formats valid JSON as `JSON.stringify` does with two spaces. Masks values of secret names and strings with stored
 * secrets; replaces values that are nested too deeply, as `limitJson` does. Throws PlatformError `tooLarge`.
 */
export function formatJson(text: string, secrets: Secrets): string {
  const scanner = createScanner(text, true);
  const mask = createMask(secrets.values);
  const out: string[] = [];
  const open: string[] = [];
  let name: string | undefined;
  let first = true;
  // The depth of a replaced object or array, whose content is skipped.
  let hidden = Infinity;
  let length = 0;
  const put = (...parts: string[]) => {
    if (open.length >= hidden) return;
    out.push(...parts);
    for (const part of parts) length += part.length;
    if (length > MAX_FORMATTED_LENGTH)
      throw new PlatformError(
        'tooLarge',
        stored('The formatted response is longer than {0} characters', formatNumber(MAX_FORMATTED_LENGTH)),
      );
  };
  const newline = () => {
    if (open.length < hidden) put('\n', '  '.repeat(open.length));
  };
  for (;;) {
    scanner.scan();
    const token = text.slice(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength());
    if (token === '') return out.join('') + '\n';
    if (token === '}' || token === ']') {
      open.pop();
      if (open.length + 1 === hidden) {
        // The replacement is there in place of the brackets, too.
        hidden = Infinity;
      } else {
        if (!first) newline();
        put(token);
      }
      first = false;
    } else if (token === ',') {
      put(',');
      newline();
      name = undefined;
    } else if (token === ':') {
      put(': ');
    } else {
      if (first && open.length > 0) newline();
      first = false;
      const inObject = open.at(-1) === '{';
      const isName = inObject && name === undefined;
      const isContainer = token === '{' || token === '[';
      const isSecret = inObject && name !== undefined && isSecretName(name, secrets) && token !== 'null';
      const replacement = isSecret ? MASK : isContainer && open.length === MAX_JSON_DEPTH ? TOO_DEEP : undefined;
      if (replacement !== undefined) put(JSON.stringify(replacement));
      if (isContainer) {
        if (replacement === undefined) put(token);
        else if (hidden === Infinity) hidden = open.length + 1;
        open.push(token);
        name = undefined;
        first = true;
      } else {
        if (replacement === undefined)
          put(token.startsWith('"') ? maskLiteral(token, scanner.getTokenValue(), mask) : token);
        if (isName) name = scanner.getTokenValue();
      }
    }
  }
}

function maskLiteral(raw: string, value: string, mask: (text: string) => string): string {
  const masked = mask(value);
  return masked === value ? raw : JSON.stringify(masked);
}

/** The source text at a path of a JSON text, after `limitJson`; `undefined` if the path does not exist. */
export function getJsonSlice(source: string, path: JSONPath): string | undefined {
  const text = limitJson(source) ?? '';
  const root = parseTree(text);
  const node = root === undefined ? undefined : findNodeAtLocation(root, path);
  return node === undefined ? undefined : text.slice(node.offset, node.offset + node.length);
}

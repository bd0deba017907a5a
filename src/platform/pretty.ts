/** Prints the server's own JSON text: every field, in its order, numbers to the digit, secrets masked. */
import { createScanner, findNodeAtLocation, parseTree, type JSONPath } from 'jsonc-parser';
import { PlatformError } from './errors.ts';
import { limitJson } from './json-limits.ts';
import { isSecretName, MASK, maskText, type Secrets } from './json.ts';

/** Characters of a printed text: indentation alone can make a text a hundred times longer. */
export const MAX_PRINTED = 64 * 1024 * 1024;

/**
 * `text` must be valid JSON. Two spaces a level, empty objects and arrays on one line, as `JSON.stringify` prints.
 * Values under a secret name and strings that hold a stored secret are masked, what is nested too deep is replaced (see
 * `limitJson`). Throws PlatformError `tooLarge`.
 */
export function prettyJson(source: string, secrets: Secrets): string {
  const text = limitJson(source) ?? '';
  const scanner = createScanner(text, true);
  const out: string[] = [];
  const open: string[] = [];
  let name: string | undefined;
  let first = true;
  // The depth of a value that is masked as a whole; what stands inside is passed over.
  let hidden = Infinity;
  let length = 0;
  const put = (...parts: string[]) => {
    if (open.length >= hidden) return;
    out.push(...parts);
    for (const part of parts) length += part.length;
    if (length > MAX_PRINTED)
      throw new PlatformError('tooLarge', `The answer is longer than ${String(MAX_PRINTED)} characters when printed`);
  };
  const newline = () => {
    put('\n', '  '.repeat(open.length));
  };
  for (;;) {
    scanner.scan();
    const token = text.slice(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength());
    if (token === '') return out.join('') + '\n';
    if (token === '}' || token === ']') {
      open.pop();
      if (open.length + 1 === hidden) {
        // The mask stands for the value with its brackets.
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
      const hide = inObject && name !== undefined && isSecretName(name, secrets) && token !== 'null';
      if (hide) put(JSON.stringify(MASK));
      if (token === '{' || token === '[') {
        if (!hide) put(token);
        else if (hidden === Infinity) hidden = open.length + 1;
        open.push(token);
        name = undefined;
        first = true;
      } else {
        if (!hide) put(token.startsWith('"') ? maskLiteral(token, scanner.getTokenValue(), secrets) : token);
        if (isName) name = scanner.getTokenValue();
      }
    }
  }
}

function maskLiteral(raw: string, value: string, secrets: Secrets): string {
  const masked = maskText(value, secrets.values);
  return masked === value ? raw : JSON.stringify(masked);
}

/** The part of a JSON text at a path, as it stands but for `limitJson`; `undefined` where there is none. */
export function sliceOf(source: string, path: JSONPath): string | undefined {
  const text = limitJson(source) ?? '';
  const root = parseTree(text);
  const node = root === undefined ? undefined : findNodeAtLocation(root, path);
  return node === undefined ? undefined : text.slice(node.offset, node.offset + node.length);
}

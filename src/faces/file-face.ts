/** A local file as a face: HTML, SVG, or the JSON of a face or of its content alone (pure). */
import { isObject } from '../platform/json.ts';
import { faceOf, type Face } from './face.ts';

/** `problem` says why a JSON file is no face; then there is nothing to show. */
export type FileFace = { readonly face: Face } | { readonly problem: string };

export function fileFace(name: string, text: string): FileFace {
  const bare = name.replace(/\.(face\.)?(html?|svg|json|xhtml|txt)$/i, '');
  if (!/\.json$/i.test(name)) {
    const mediaType = /\.svg$/i.test(name) ? 'image/svg+xml' : /\.x?html?$/i.test(name) ? 'text/html' : undefined;
    const variant = { key: 'content', label: 'Content', content: text, ...(mediaType !== undefined && { mediaType }) };
    return { face: { name: bare, variants: [variant], assets: [] } };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `The file is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}` };
  }
  // An API's one-line string, kept in a file.
  if (typeof value === 'string') return fileFace(bare, value);
  if (!isObject(value))
    return { problem: 'The file holds no face: an object with `content`, `url` or `views`, or a string' };
  return { face: faceOf(value, bare) };
}

import * as l10n from '@vscode/l10n';
import { isObject } from '../../platform/json/json.ts';
import { parseFace, type Face } from './face.ts';

/** `problem`: why a JSON file is not a face. */
type FaceFileResult = { readonly face: Face } | { readonly problem: string };

/** Parses a local file by its name: HTML, SVG, text, or the JSON of a face or of its content. */
export function parseFaceFile(name: string, text: string): FaceFileResult {
  const baseName = name.replace(/\.(face\.)?(html?|svg|json|xhtml|txt)$/i, '');
  if (!/\.json$/i.test(name)) {
    const mediaType = /\.svg$/i.test(name) ? 'image/svg+xml' : /\.x?html?$/i.test(name) ? 'text/html' : undefined;
    const variant = {
      key: 'content',
      label: l10n.t('Content'),
      content: text,
      ...(mediaType !== undefined && { mediaType }),
    };
    return { face: { name: baseName, variants: [variant], assets: [] } };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      problem:
        error instanceof Error
          ? l10n.t('The file is not valid JSON ({0})', error.message)
          : l10n.t('The file is not valid JSON'),
    };
  }
  // The file holds only the content, as a JSON string.
  if (typeof value === 'string') return parseFaceFile(baseName, value);
  if (!isObject(value))
    return {
      problem: l10n.t(
        'The file does not contain a face. Expected a string, or an object with `content`, `url`, or `views`',
      ),
    };
  return { face: parseFace(value, baseName) };
}

/** Classifies attributes of HTML and SVG by name, like html/template. */
import type { AttributeKind } from './context.ts';

type AttributeContentKind = 'plain' | 'url' | 'css' | 'js' | 'srcset' | 'html' | 'unsafe';

const createEntries = (
  kind: AttributeContentKind,
  names: string,
): readonly (readonly [string, AttributeContentKind])[] => names.split(' ').map((name) => [name, kind] as const);

const CONTENT_KINDS: ReadonlyMap<string, AttributeContentKind> = new Map([
  ...createEntries(
    'url',
    'action archive background cite classid codebase data formaction href icon longdesc manifest poster profile src usemap xmlns',
  ),
  ...createEntries(
    'unsafe',
    'accept-charset async challenge charset crossorigin defer enctype form formenctype formmethod formnovalidate http-equiv keytype language method novalidate pattern rel sandbox type value',
  ),
  ...createEntries('css', 'style'),
  ...createEntries('html', 'srcdoc'),
  ...createEntries('srcset', 'srcset'),
]);

/** Returns the content type of an attribute; `name` is lower case. */
export function getContentKind(name: string): AttributeContentKind {
  let localName = name;
  if (name.startsWith('data-')) {
    localName = name.slice(5);
  } else if (name.includes(':')) {
    const [prefix, ...rest] = name.split(':');
    if (prefix === 'xmlns') return 'url';
    localName = rest.join(':');
  }
  const known = CONTENT_KINDS.get(localName);
  if (known !== undefined) return known;
  if (localName.startsWith('on')) return 'js';
  return /src|uri|url/.test(localName) ? 'url' : 'plain';
}

/** Returns the kind of content of an attribute. `inScript`: it is one of a script element. */
export function getAttributeKind(name: string, inScript: boolean): AttributeKind {
  if (inScript && name === 'type') return 'scriptType';
  const kind = getContentKind(name);
  if (kind === 'js') return 'script';
  if (kind === 'css') return 'style';
  return kind === 'url' || kind === 'srcset' ? kind : 'none';
}

const SCRIPT_TYPES =
  /^(?:module|application\/(?:(?:x-)?(?:ecma|java)script|json|ld\+json)|text\/(?:ecmascript|javascript(?:1\.[0-5])?|jscript|livescript|x-(?:ecma|java)script))$/;

/** Whether a script element of this `type` contains JavaScript or JSON-like data. */
export function isScriptType(type: string): boolean {
  return SCRIPT_TYPES.test((type.split(';')[0] ?? '').trim().toLowerCase());
}

/** What kind of content an attribute of HTML or SVG holds, by its name, as html/template sees it. */
import type { AttributeKind } from './context.ts';

export type ContentKind = 'plain' | 'url' | 'css' | 'js' | 'srcset' | 'html' | 'unsafe';

const of = (kind: ContentKind, names: string): readonly (readonly [string, ContentKind])[] =>
  names.split(' ').map((name) => [name, kind] as const);

const KINDS: ReadonlyMap<string, ContentKind> = new Map([
  ...of(
    'url',
    'action archive background cite classid codebase data formaction href icon longdesc manifest poster profile src usemap xmlns',
  ),
  ...of(
    'unsafe',
    'accept-charset async challenge charset crossorigin defer enctype form formenctype formmethod formnovalidate http-equiv keytype language method novalidate pattern rel sandbox type value',
  ),
  ...of('css', 'style'),
  ...of('html', 'srcdoc'),
  ...of('srcset', 'srcset'),
]);

/** `name` in lower case. */
export function contentKind(name: string): ContentKind {
  let bare = name;
  if (name.startsWith('data-')) {
    bare = name.slice(5);
  } else if (name.includes(':')) {
    const [prefix, ...rest] = name.split(':');
    if (prefix === 'xmlns') return 'url';
    bare = rest.join(':');
  }
  const known = KINDS.get(bare);
  if (known !== undefined) return known;
  if (bare.startsWith('on')) return 'js';
  return /src|uri|url/.test(bare) ? 'url' : 'plain';
}

export function attributeKind(name: string, inScript: boolean): AttributeKind {
  if (inScript && name === 'type') return 'scriptType';
  const kind = contentKind(name);
  if (kind === 'js') return 'script';
  if (kind === 'css') return 'style';
  return kind === 'url' || kind === 'srcset' ? kind : 'none';
}

const SCRIPT_TYPES =
  /^(?:module|application\/(?:(?:x-)?(?:ecma|java)script|json|ld\+json)|text\/(?:ecmascript|javascript(?:1\.[0-5])?|jscript|livescript|x-(?:ecma|java)script))$/;

/** Whether a `type` makes a script element hold JavaScript or data that is written like it. */
export function isScriptType(type: string): boolean {
  return SCRIPT_TYPES.test((type.split(';')[0] ?? '').trim().toLowerCase());
}

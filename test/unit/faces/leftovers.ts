/** What of a document can open a connection by itself or when it is pressed, by a parser that follows the HTML standard. */
import { defaultTreeAdapter as tree, parse, type DefaultTreeAdapterTypes } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;

const ELEMENTS = new Set(
  'link base iframe frame object embed applet portal fencedframe webview controlledframe'.split(' '),
);

/** One line each: the element, and what of it. Empty: nothing is left. */
export function leftovers(html: string): readonly string[] {
  // With and without scripts `noscript` is read differently.
  return [true, false].flatMap((scriptingEnabled) => leftIn(parse(html, { scriptingEnabled })));
}

function leftIn(node: Node): readonly string[] {
  const found: string[] = [];
  const open: Node[] = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (tree.isElementNode(next)) found.push(...leftOf(next));
    if ('content' in next) open.push(next.content);
    if ('childNodes' in next) open.push(...next.childNodes);
  }
  return found;
}

function leftOf({ tagName, attrs }: DefaultTreeAdapterTypes.Element): readonly string[] {
  const name = tagName.toLowerCase();
  const found = ELEMENTS.has(name) ? [`<${name}>`] : [];
  for (const { name: attribute, prefix, value } of attrs) {
    const bad =
      ((name === 'a' || name === 'area') && attribute === 'href' && !value.startsWith('#')) ||
      ((name === 'a' || name === 'area') && (attribute === 'ping' || attribute === 'attributionsrc')) ||
      (/^(set|animate)/.test(name) && attribute.toLowerCase() === 'attributename' && /href\s*$/i.test(value)) ||
      (name === 'meta' &&
        attribute === 'http-equiv' &&
        !/^(content-security-policy|x-dns-prefetch-control: off)$/i.test(asRule(value, attrs)));
    if (bad) found.push(`<${name} ${prefix ?? ''} ${attribute}=${value}>`);
  }
  return found;
}

function asRule(name: string, attrs: readonly { readonly name: string; readonly value: string }[]): string {
  const trimmed = name.trim().toLowerCase();
  const content = attrs.find((attribute) => attribute.name === 'content')?.value ?? '';
  return trimmed === 'x-dns-prefetch-control' ? `${trimmed}: ${content}` : trimmed;
}

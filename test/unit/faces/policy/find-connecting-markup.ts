/** Finds markup that opens connections by itself or on click, with a parser that follows the HTML standard. */
import { defaultTreeAdapter as tree, parse, type DefaultTreeAdapterTypes } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;

const ELEMENTS = new Set(
  'link base iframe frame object embed applet portal fencedframe webview controlledframe'.split(' '),
);

/** Returns one line for each finding: the element and its attribute. */
export function findConnectingMarkup(html: string): readonly string[] {
  // `noscript` is parsed differently with and without scripts.
  return [true, false].flatMap((scriptingEnabled) => findInNode(parse(html, { scriptingEnabled })));
}

function findInNode(node: Node): readonly string[] {
  const found: string[] = [];
  const open: Node[] = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (tree.isElementNode(next)) found.push(...findInElement(next));
    if ('content' in next) open.push(next.content);
    if ('childNodes' in next) open.push(...next.childNodes);
  }
  return found;
}

function findInElement({ tagName, attrs }: DefaultTreeAdapterTypes.Element): readonly string[] {
  const name = tagName.toLowerCase();
  const found = ELEMENTS.has(name) ? [`<${name}>`] : [];
  for (const { name: attribute, prefix, value } of attrs) {
    const connects =
      ((name === 'a' || name === 'area') && attribute === 'href' && !/^(about:srcdoc)?#/.test(value)) ||
      ((name === 'a' || name === 'area') && (attribute === 'ping' || attribute === 'attributionsrc')) ||
      (/^(set|animate)/.test(name) && attribute.toLowerCase() === 'attributename' && /href\s*$/i.test(value)) ||
      (name === 'meta' &&
        attribute === 'http-equiv' &&
        !/^(content-security-policy|x-dns-prefetch-control: off)$/i.test(formatPragma(value, attrs)));
    if (connects) found.push(`<${name} ${prefix ?? ''} ${attribute}=${value}>`);
  }
  return found;
}

function formatPragma(name: string, attrs: readonly { readonly name: string; readonly value: string }[]): string {
  const trimmed = name.trim().toLowerCase();
  const content = attrs.find((attribute) => attribute.name === 'content')?.value ?? '';
  return trimmed === 'x-dns-prefetch-control' ? `${trimmed}: ${content}` : trimmed;
}

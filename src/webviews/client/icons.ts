/** Codicons as inline SVG: only those that a view imports, no font, no stylesheet, nothing for the policy to allow. */

/**
 * `source` is a codicon imported by its view: `import refresh from '@vscode/codicons/src/icons/refresh.svg'`. It takes the
 * colour of the text around it, and is hidden from screen readers: label the button, not the picture.
 */
export function icon(source: string): SVGElement {
  const text = decodeURIComponent(source.slice(source.indexOf(',') + 1));
  const parsed = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  const svg = document.importNode(parsed, true);
  if (!(svg instanceof SVGElement)) throw new Error('Not an icon');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('focusable', 'false');
  return svg;
}

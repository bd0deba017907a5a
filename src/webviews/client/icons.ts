/**
 * Creates a codicon as inline SVG, so that the policy need not allow fonts or stylesheets. `source` is imported by the view:
 * `import refresh from '@vscode/codicons/src/icons/refresh.svg'`. The icon has the colour of the text around it and is hidden
 * from screen readers: label the button instead.
 */
export function createIcon(source: string): SVGElement {
  const text = decodeURIComponent(source.slice(source.indexOf(',') + 1));
  const parsed = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  const svg = document.importNode(parsed, true);
  if (!(svg instanceof SVGElement)) throw new Error('Not an icon');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('focusable', 'false');
  return svg;
}

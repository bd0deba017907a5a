/** Fills in a connection's http(s) URL template. */

// Zeros are a hash before settlement or a null address; dots would change the path.
const EMPTY_VALUE = /^(?:(?:0x)?0*|\.{1,2})$/i;

/**
 * Returns the URL, or `undefined` if the value is empty, all zeros or dots, or the template is not http(s), lacks a
 * placeholder, or has one in the host.
 */
export function fillLinkTemplate(template: string | undefined, value: string): string | undefined {
  if (template === undefined || !/^https?:\/\//i.test(template) || EMPTY_VALUE.test(value)) return undefined;
  if (!/\{(?:hash|id)\}/.test(template)) return undefined;
  const fill = (text: string): string =>
    template.replace(/\{(?:hash|id)\}/g, () => encodeURIComponent(text.toWellFormed()));
  const filled = fill(value);
  if (!URL.canParse(filled) || !URL.canParse(fill('a'))) return undefined;
  return new URL(filled).origin === new URL(fill('a')).origin ? filled : undefined;
}

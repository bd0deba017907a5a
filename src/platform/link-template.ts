/** Outside links: a connection's http(s) URL template filled in, or nothing where that would lead nowhere or elsewhere. */

// Zeros alone are a hash before settlement, or nobody's address; dots alone would walk up the path.
const NOTHING = /^(?:(?:0x)?0*|\.{1,2})$/i;

/**
 * The address, or `undefined` where the value is empty, all zeros or dots, the template is not http(s), has no place for the
 * value, or has one where it would choose the host.
 */
export function fillLink(template: string | undefined, value: string): string | undefined {
  if (template === undefined || !/^https?:\/\//i.test(template) || NOTHING.test(value)) return undefined;
  if (!/\{(?:hash|id)\}/.test(template)) return undefined;
  const fill = (text: string): string =>
    template.replace(/\{(?:hash|id)\}/g, () => encodeURIComponent(text.toWellFormed()));
  const filled = fill(value);
  if (!URL.canParse(filled) || !URL.canParse(fill('a'))) return undefined;
  return new URL(filled).origin === new URL(fill('a')).origin ? filled : undefined;
}

const PLACEHOLDER =
  /^(?:REPLACE|CHANGE|INSERT|PUT|FILL|YOUR|MY)[\s_-]?(?:ME|WITH|IN|THIS|HERE|ID|OBJECT|TEMPLATE|YOUR|API)\b|^(?:REPLACE|YOUR|INSERT|CHANGE)[_-]|^TODO\b|^FIXME\b|^<[^<>]{1,60}>$|^\{\{[^{}]{1,60}\}\}$|^x{3,}$|^\.{3}$|^…$|^•+$|^(?:OBJECT|TEMPLATE|WALLET|FACE)_ID$/i;

/** True for a text that a template leaves to be replaced, such as `<OBJECT_ID>` or `TODO`. */
export function isPlaceholder(text: string): boolean {
  return text.length <= 200 && PLACEHOLDER.test(text.trim());
}

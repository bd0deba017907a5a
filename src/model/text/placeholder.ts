const PLACEHOLDERS = [
  /^(?:REPLACE|CHANGE|INSERT|PUT|FILL|YOUR|MY)[\s_-]?(?:ME|WITH|IN|THIS|HERE|ID|OBJECT|TEMPLATE|YOUR|API)\b/i,
  /^(?:REPLACE|YOUR|INSERT|CHANGE)[_-]/i,
  /^(?:OBJECT|TEMPLATE|WALLET|FACE)_ID$/i,
  /^(?:TODO|FIXME)\b/i,
  // <ID> and {{ID}}
  /^(?:<[^<>]{1,60}>|\{\{[^{}]{1,60}\}\})$/,
  // xxx, ..., … and dots that hide a value
  /^(?:x{3,}|\.{3}|…|•+)$/i,
];

/** True for a text that a template leaves to be replaced, such as `<OBJECT_ID>` or `TODO`. */
export function isPlaceholder(text: string): boolean {
  return text.length <= 200 && PLACEHOLDERS.some((pattern) => pattern.test(text.trim()));
}

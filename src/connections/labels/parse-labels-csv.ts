import { parse } from 'csv-parse/sync';
import { getLabelProblem, getValueProblem, type LabelEntries } from '../../model/text/labels.ts';

/** An address identifies better than an id. */
const VALUE_COLUMNS = [/^(?:account|wallet|owner)?[ _-]?address$/i, /^(?:account|value|(?:wallet[ _-]?)?id)$/i];
const LABEL_COLUMN = /^(?:label|name|nickname|title)$/i;

/**
 * Reads labels from CSV with commas, semicolons or tabs. Columns are found by their headers, such as `address` and
 * `label`; without headers the first two are used. Rows without a valid value or label are ignored. Throws Error for
 * text that is not CSV.
 */
export function parseLabelsCsv(text: string): LabelEntries {
  const [firstLine = ''] = text.split(/\r?\n/, 1);
  const delimiter = [',', ';', '\t'].find((character) => firstLine.includes(character)) ?? ',';
  const options = { bom: true, delimiter, relaxColumnCount: true, skipEmptyLines: true, trim: true };
  const rows: readonly (readonly string[])[] = parse(text, options);
  const [first = []] = rows;
  const valueColumn =
    VALUE_COLUMNS.map((column) => first.findIndex((name) => column.test(name))).find((index) => index >= 0) ?? -1;
  const labelColumn = first.findIndex((name) => LABEL_COLUMN.test(name));
  const hasHeaders = valueColumn >= 0 && labelColumn >= 0;
  const [valueAt, labelAt] = hasHeaders ? [valueColumn, labelColumn] : [0, 1];
  const data = hasHeaders ? rows.slice(1) : rows;
  const entries = data.flatMap((row): [string, string][] => {
    const [value = '', label = ''] = [row[valueAt], row[labelAt]];
    return getValueProblem(value) === undefined && getLabelProblem(label) === undefined ? [[value, label]] : [];
  });
  return { entries, ignored: data.length - entries.length };
}

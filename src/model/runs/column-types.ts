/** Types that the cells of a data file's column are sent as; a date is a text in ISO 8601. */
export const COLUMN_TYPES = ['text', 'number', 'boolean', 'date'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

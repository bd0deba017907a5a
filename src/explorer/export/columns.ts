/** Pure: the columns of exported tables, where the explorer looks for them; the logs export with the same. */
export * from '../../platform/export/columns.ts';

/** Pure: the forms of exported files, where the explorer looks for them; the logs export with the same. */
export * from '../../platform/export/format.ts';

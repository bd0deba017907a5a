/** Schemes of the documents that show resources. Without imports: activation reads them. */
export const RESOURCE_SCHEME = 'smartobject';
/** Scheme of earlier texts of a resource, read-only, for comparisons; the time is in the query. */
export const SNAPSHOT_SCHEME = 'smartobject-seen';

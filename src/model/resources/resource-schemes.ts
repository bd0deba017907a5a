/** Schemes of documents. Without imports: activation reads them. */

/** Scheme of the JSON of resources. */
export const RESOURCE_SCHEME = 'smartobject';
/** Scheme of earlier texts of a resource, read-only, for comparisons; the time is in the query. */
export const SNAPSHOT_SCHEME = 'smartobject-snapshot';
/** Scheme of previews of requests; the file is in the query. */
export const PREVIEW_SCHEME = 'smartobject-preview';
/** Scheme of what a run sent and received. */
export const RUN_SCHEME = 'smartobject-run';
/** Scheme of the bodies of recorded requests; which one is in the query. */
export const REQUEST_SCHEME = 'smartobject-request';

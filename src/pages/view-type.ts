/** View type of the pages of resources. */
export const PAGE_TYPE = 'smartObjects.page';

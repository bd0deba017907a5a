/** Type of the statistics panels, as package.json activates them. */
export const VIEW_TYPE = 'smartObjects.statistics';

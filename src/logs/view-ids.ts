/** Ids that package.json and the code share. */
export const VIEW_ID = 'smartObjects.actionLogs';
export const TAB_VIEW_TYPE = 'smartObjects.actionLogsTab';

/** Type of the panel of a batch. */
export const VIEW_TYPE = 'smartObjects.bulk';

/** Key of the workspace state: true once a batch was started, until none is unfinished. */
export const MAY_HAVE_OPEN_BATCHES = 'actions.mayHaveOpenBatches';

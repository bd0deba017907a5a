/** Key of the workspace state: true once a run was sent, until no open run is left. */
export const MAY_HAVE_OPEN_RUNS = 'actions.mayHaveOpenRuns';

/** Key of the workspace state: true while the history holds a run. */
export const HAS_RUNS = 'actions.hasRuns';

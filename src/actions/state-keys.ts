/** Key of the workspace state: true once something was sent, until a look finds that every run has ended. */
export const MAY_HAVE_OPEN_RUNS = 'actions.mayHaveOpenRuns';

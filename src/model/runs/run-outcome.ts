export const runOutcomes = ['completed', 'failed', 'refused', 'unfinished', 'unknown', 'notSent'] as const;

/**
 * The outcome, as far as it is known: `notSent` nothing was sent · `refused` the platform refused the request ·
 * `failed` a step, the action log or the batch failed · `completed` the action log is completed · `unfinished`
 * accepted, but the last known status was neither · `unknown` sent, but no reliable response was received.
 */
export type RunOutcome = (typeof runOutcomes)[number];

/** Memento key of the watches of a workspace. */
export const WATCHES_KEY = 'watches';

/** What a step of a form answers when the person wants the step before it again (pure). */
export const BACK = Symbol('back');

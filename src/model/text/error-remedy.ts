/** The commands that help after the platform refused a request. */
import * as l10n from '@vscode/l10n';
import { hasErrorCode } from '../../platform/errors.ts';

export const remedies = ['signIn', 'selectIdentity'] as const;
export type Remedy = (typeof remedies)[number];

/** Returns the command that helps after an error: another sign-in, or an identity that may have the permission. */
export function getRemedy(error: unknown): Remedy | undefined {
  if (hasErrorCode(error, 'unauthenticated')) return 'signIn';
  return hasErrorCode(error, 'forbidden') ? 'selectIdentity' : undefined;
}

/** Formats the button that runs the command. */
export function formatRemedy(remedy: Remedy): string {
  return remedy === 'signIn' ? l10n.t('Sign In…') : l10n.t('Select Identity…');
}

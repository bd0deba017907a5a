import * as l10n from '@vscode/l10n';
import type { findScopes } from '../profiles/write-profiles.ts';

/** A sentence for confirmations about the settings that something is removed from. */
export function formatSettingsRemoval(scopes: ReturnType<typeof findScopes>): string {
  if (!scopes.includes('workspace')) return l10n.t('Removes it from the user settings.');
  return scopes.includes('user')
    ? l10n.t('Removes it from the user settings and the workspace settings.')
    : l10n.t('Removes it from the workspace settings.');
}

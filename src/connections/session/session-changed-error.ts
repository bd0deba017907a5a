import * as l10n from '@vscode/l10n';

/** The connection has changed since the credential was given for it. */
export class SessionChangedError extends Error {
  constructor(name: string) {
    super(l10n.t('The connection {0} was changed, so the credential was not stored. Sign in again', name));
  }
}

/** How the statuses of action logs and ledger batches are shown. */
import * as l10n from '@vscode/l10n';

/** Formats a status in the display language; one that is not known as the platform sent it. */
export function formatStatus(status: string): string {
  switch (status) {
    case 'pending':
      return l10n.t('pending');
    case 'processing':
      return l10n.t({
        message: 'processing',
        args: [],
        comment: 'Status of a ledger batch: the platform is working on it',
      });
    case 'completed':
      return l10n.t({ message: 'completed', args: [], comment: 'Status of an action log or a ledger batch' });
    case 'failed':
      return l10n.t({ message: 'failed', args: [], comment: 'Status of an action log or a ledger batch' });
    case 'finalized':
      return l10n.t({ message: 'finalized', args: [], comment: 'Status of a ledger batch' });
    default:
      return status;
  }
}

/** Creates a choice of a status, or of another value of a fixed set; the value is its description if it is shown differently. */
export function createStatusChoice(value: string): {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
} {
  const label = formatStatus(value);
  return label === value ? { label, value } : { label, description: value, value };
}

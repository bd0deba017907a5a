/** How the statuses of action logs and ledger batches are shown. */
import { stored, formatText, type StoredText } from '../../platform/text/message.ts';

/** Formats a status in the display language; one that is not known as the platform sent it. */
export function formatStatus(status: string): string {
  return formatText(getStatusText(status));
}

/** As `formatStatus`, for what is stored. */
export function getStatusText(status: string): StoredText {
  switch (status) {
    case 'pending':
      return stored('pending');
    case 'processing':
      return stored({
        message: 'processing',

        comment: 'Status of a ledger batch: the platform is working on it',
      });
    case 'completed':
      return stored({ message: 'completed', comment: 'Status of an action log or a ledger batch' });
    case 'failed':
      return stored({ message: 'failed', comment: 'Status of an action log or a ledger batch' });
    case 'finalized':
      return stored({ message: 'finalized', comment: 'Status of a ledger batch' });
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

import * as l10n from '@vscode/l10n';
import { formatTimestamp } from '../../../model/text/time-format.ts';
import { pluralize } from '../../../platform/text/localization.ts';
import { toPlainText } from '../../../platform/text/plain-text.ts';
import type { BatchData } from '../batch.ts';
import type { BatchStorage, StoredBatch } from './panel-storage.ts';

/** Batches that are named. */
const MAX_NAMED = 3;

/**
 * Says which other batches sent rows of the same data with the same connection and identity: sentences without the full
 * stop, the latest batch first. A batch that runs failed rows again is of the same data on purpose. Never rejects.
 */
export async function findSentBefore(
  storage: BatchStorage,
  { id, connection, identity, former }: StoredBatch,
  { digest, name }: Pick<BatchData, 'digest' | 'name'>,
): Promise<readonly string[]> {
  if (former !== undefined) return [];
  const found = (await storage.list()).flatMap(({ stored, journal }) => {
    if (journal?.header.data.digest !== digest || stored.id === id) return [];
    if (stored.connection !== connection || stored.identity !== identity) return [];
    const { sending, unknown, accepted, completed, failed } = journal.counts;
    const sent = sending + unknown + accepted + completed + failed;
    return sent === 0 ? [] : [{ sent, unknown, created: journal.header.created, action: stored.action.name }];
  });
  return found
    .sort((a, b) => b.created - a.created)
    .slice(0, MAX_NAMED)
    .map(({ sent, unknown, created, action }) => {
      const message = pluralize(
        sent,
        l10n.t(
          '{0} row of {1} was already sent by the batch {2} of {3}|{0} rows of {1} were already sent by the batch {2} of {3}',
        ),
        toPlainText(name, 80),
        toPlainText(action, 80),
        formatTimestamp(created),
      );
      if (unknown === 0) return message;
      return l10n.t('{0}. {1}', message, pluralize(unknown, l10n.t('{0} of them is unknown|{0} of them are unknown')));
    });
}

/** Support messages. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { isObject } from '../json/json.ts';
import { defineOperation, pageParameters, sharedParameters } from '../operation.ts';
import { nonEmptyStrings, defineResource } from '../resource.ts';
import { dateTime, undocumented, optional } from '../schema.ts';
import { assetReference } from './shared-schemas.ts';

const supportMessage = z.looseObject({
  id: z.string(),
  wallet_id: z.string(),
  title: undocumented,
  content: z.string(),
  assets: optional(z.array(assetReference)),
  when_modified: dateTime,
  when_created: dateTime,
});

const listSupport = defineOperation({
  method: 'GET',
  path: '/support',
  repeatable: true,
  query: {
    id: sharedParameters.id,
    org_id: sharedParameters.org_id,
    ...pageParameters,
    wallet_id: { type: 'id', kind: 'wallets', about: l10n.t('wallet') },
    when_created: sharedParameters.when_created,
  },
});

export const support = defineResource({
  kind: 'support',
  label: l10n.t('Support Messages'),
  singular: l10n.t('support message'),
  icon: 'comment-discussion',
  section: 'organization',
  schema: supportMessage,
  list: { operation: listSupport, key: 'messages' },
  read: { by: 'filter' },
  references: { wallet_id: 'wallets', 'assets[].id': 'assets' },
  summary: (view, raw) => {
    const title = isObject(raw) ? raw['title'] : undefined;
    return {
      title: typeof title === 'string' && title !== '' ? title : (view.content ?? view.id ?? l10n.t('message')),
      details: nonEmptyStrings(view.wallet_id),
      ...(view.when_created !== undefined && { when: view.when_created }),
    };
  },
});

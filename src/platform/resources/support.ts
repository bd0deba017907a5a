/** Support messages. */
import * as z from 'zod/mini';
import { isObject } from '../json.ts';
import { operation, shared } from '../operation.ts';
import { present, resource } from '../resource.ts';
import { dateTime, notShown, optional } from '../schema.ts';
import { assetReference } from './shapes.ts';

export const supportMessage = z.looseObject({
  id: z.string(),
  wallet_id: z.string(),
  title: notShown,
  content: z.string(),
  assets: optional(z.array(assetReference)),
  when_modified: dateTime,
  when_created: dateTime,
});

export const listSupport = operation({
  method: 'GET',
  path: '/support',
  repeatable: true,
  query: {
    id: shared.id,
    org_id: shared.org_id,
    limit: shared.limit,
    next: shared.next,
    order: shared.order,
    sortBy: shared.sortBy,
    wallet_id: { type: 'id', kind: 'wallets', about: 'wallet' },
    when_created: shared.when_created,
  },
});

export const support = resource({
  kind: 'support',
  label: 'Support Messages',
  singular: 'support message',
  icon: 'comment-discussion',
  section: 'organization',
  schema: supportMessage,
  list: { operation: listSupport, key: 'messages' },
  read: { by: 'filter' },
  references: { wallet_id: 'wallets', 'assets[].id': 'assets' },
  summary: (view, raw) => {
    const title = isObject(raw) ? raw['title'] : undefined;
    return {
      title: typeof title === 'string' && title !== '' ? title : (view.content ?? view.id ?? 'message'),
      details: present(view.wallet_id),
      ...(view.when_created !== undefined && { when: view.when_created }),
    };
  },
});

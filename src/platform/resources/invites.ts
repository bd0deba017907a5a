/** Confirming an invite to an organization: a GET with an effect, whose query is as secret as its answer. */
import * as z from 'zod/mini';
import { operation } from '../operation.ts';

/** Both answers of the contract that carry tokens have these two. */
export const tokens = z.looseObject({ access_token: z.string(), refresh_token: z.string() });

export const confirmInvite = operation({
  method: 'GET',
  path: '/organizations/{organizationId}/invite',
  repeatable: false,
  query: {
    token: { type: 'text', about: 'invite token' },
    member_id: { type: 'text', about: 'member' },
  },
  secretQuery: ['token', 'member_id'],
});

/** Confirming an invite to an organization: a GET with an effect. Its query and its response are secret. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { defineOperation } from '../operation.ts';

/** The fields that both token responses of the contract have: wallet registration and invite confirmation. */
export const tokens = z.looseObject({ access_token: z.string(), refresh_token: z.string() });

export const confirmInvite = defineOperation({
  method: 'GET',
  path: '/organizations/{organizationId}/invite',
  repeatable: false,
  query: {
    token: { type: 'text', about: l10n.t('invite token') },
    member_id: { type: 'text', about: l10n.t('member') },
  },
  secretQuery: ['token', 'member_id'],
});

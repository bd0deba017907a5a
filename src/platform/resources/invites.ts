/** Confirming an invite to an organization: a GET with an effect. Its query and its response are secret. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { isObject } from '../json/json.ts';
import { defineOperation } from '../operation.ts';
import { createView } from '../schema.ts';

/** The fields that both token responses of the contract have: wallet registration and invite confirmation. */
export const tokens = z.looseObject({ access_token: z.string(), refresh_token: z.string() });

/** Tokens go from the client into the secret store and nowhere else. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Reads the tokens of a response, which may be in its field `data`; `undefined` if one is missing. */
export function readTokens(response: unknown): IssuedTokens | undefined {
  const isWrapped = isObject(response) && response['access_token'] === undefined;
  const view = createView(tokens, isWrapped ? response['data'] : response);
  if (view?.access_token === undefined || view.refresh_token === undefined) return undefined;
  return { accessToken: view.access_token, refreshToken: view.refresh_token };
}

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

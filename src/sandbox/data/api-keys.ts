/** API keys with various permissions and expiries. Their secrets derive from the server's secret, not from the seed. */
import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { readWorld } from '../static-files.ts';
import { grants, type Grant, type Organization } from './organizations.ts';
import {
  pickCyclic,
  DAY,
  formatIso,
  createGeneratedSource,
  type GenerationContext,
} from '../generation/generated-source.ts';
import type { Account } from './wallets.ts';

const PLANS = readWorld(
  'api-keys',
  z.array(
    z.object({
      name: z.string(),
      permissions: grants,
      /** days from the epoch; negative: expired */
      expires: z.optional(z.int()),
      /** bound to one organization */
      organization: z.optional(z.int()),
    }),
  ),
);

export const ADMIN_KEY = 0;
export const READ_ONLY_KEY = 1;

export interface ApiKey {
  readonly key: string;
  readonly permissions: readonly Grant[];
  readonly expires?: number;
  readonly organization?: string;
  readonly owner: Account;
}

/** The source of API keys, and the keys for authentication. */
export function createApiKeys(
  context: GenerationContext,
  secret: string,
  organizations: readonly [Organization, ...Organization[]],
  account: (index: number) => Account,
) {
  // Not derivable from the id or the seed.
  const createKey = (index: number): string =>
    `sok_${createHmac('sha256', secret).update(`api key ${index}`).digest('base64url')}`;
  const getExpiry = (plan: (typeof PLANS)[number]): number | undefined =>
    plan.expires === undefined ? undefined : context.epoch + plan.expires * DAY;
  const source = createGeneratedSource(context, {
    prefix: 'key',
    size: PLANS.length,
    days: 150,
    make: ({ index, id, created }) => {
      const plan = pickCyclic(PLANS, index);
      const expiry = getExpiry(plan);
      return {
        id,
        name: plan.name,
        wallet_id: account(index).id,
        org_id: pickCyclic(organizations, plan.organization ?? 0).id,
        fqdn: pickCyclic(organizations, plan.organization ?? 0).fqdn,
        key: createKey(index),
        ...(expiry !== undefined && { expires_at: formatIso(expiry) }),
        permissions: plan.permissions,
        when_created: formatIso(created),
        when_modified: formatIso(created + index * DAY),
      };
    },
  });
  const keys = PLANS.map((plan, index): ApiKey => {
    const expires = getExpiry(plan);
    return {
      key: createKey(index),
      permissions: plan.permissions,
      ...(expires !== undefined && { expires }),
      ...(plan.organization !== undefined && { organization: pickCyclic(organizations, plan.organization).id }),
      owner: account(index),
    };
  });
  return { source, keys };
}

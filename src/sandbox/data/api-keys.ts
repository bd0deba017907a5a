/** API keys with different permissions and expiries; their secrets come from the server's own secret, not from the seed. */
import { createHmac } from 'node:crypto';
import { ALL, READ, grant, type Grant, type Organization } from './organizations.ts';
import { at, DAY, iso, table, type Context } from './context.ts';
import type { Account } from './wallets.ts';

interface KeyPlan {
  readonly name: string;
  readonly permissions: readonly Grant[];
  /** days from the epoch; negative ones are over */
  readonly expires?: number;
  /** bound to one organization */
  readonly organization?: 0 | 1 | 2;
}

const PLANS: readonly [KeyPlan, ...KeyPlan[]] = [
  { name: 'Sandbox administrator', permissions: ALL },
  { name: 'Dashboard (read only)', permissions: READ, expires: 365 },
  {
    name: 'Mobile app',
    permissions: [grant('objects', 'read'), grant('faces', 'read'), grant('ebus.actions', 'create')],
    expires: 30,
    organization: 0,
  },
  {
    name: 'CI: templates and faces',
    permissions: [grant('templates', 'read', 'create', 'update'), grant('faces', 'read', 'create', 'update')],
    expires: 90,
    organization: 1,
  },
  { name: 'Statistics export', permissions: [grant('stats.actions', 'read'), grant('stats.objects', 'read')] },
  { name: 'Partner (expired)', permissions: READ, expires: -12, organization: 2 },
  { name: 'Nächtlicher Export · 夜間', permissions: [grant('objects', 'read'), grant('api-keys', 'read')], expires: 7 },
  { name: 'Nothing allowed yet', permissions: [] },
];

export const ADMIN_KEY = 0;
export const READ_ONLY_KEY = 1;

export interface ApiKey {
  readonly key: string;
  readonly permissions: readonly Grant[];
  readonly expires?: number;
  readonly organization?: string;
  readonly owner: Account;
}

export function apiKeySource(
  context: Context,
  secret: string,
  organizations: readonly [Organization, ...Organization[]],
  account: (index: number) => Account,
) {
  // A real deployment's keys are not told by their id either.
  const secretOf = (index: number): string =>
    `sok_${createHmac('sha256', secret).update(`api key ${index}`).digest('base64url')}`;
  const expiryOf = (plan: KeyPlan): number | undefined =>
    plan.expires === undefined ? undefined : context.epoch + plan.expires * DAY;
  const source = table(context, {
    prefix: 'key',
    size: PLANS.length,
    days: 150,
    make: ({ index, id, created }) => {
      const plan = at(PLANS, index);
      const expiry = expiryOf(plan);
      return {
        id,
        name: plan.name,
        wallet_id: account(index).id,
        org_id: at(organizations, plan.organization ?? 0).id,
        fqdn: at(organizations, plan.organization ?? 0).fqdn,
        key: secretOf(index),
        ...(expiry !== undefined && { expires_at: iso(expiry) }),
        permissions: plan.permissions,
        when_created: iso(created),
        when_modified: iso(created + index * DAY),
      };
    },
  });
  const keys = PLANS.map((plan, index): ApiKey => {
    const expires = expiryOf(plan);
    return {
      key: secretOf(index),
      permissions: plan.permissions,
      ...(expires !== undefined && { expires }),
      ...(plan.organization !== undefined && { organization: at(organizations, plan.organization).id }),
      owner: account(index),
    };
  });
  return { source, keys };
}

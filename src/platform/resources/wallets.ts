/** Wallets: user accounts. The contract has no read: a wallet is known only from the response of its registration. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { defineOperation } from '../operation.ts';
import { nonEmptyStrings, defineResource } from '../resource.ts';
import { dateTime, optional } from '../schema.ts';
import { assetReference, languages } from './shared-schemas.ts';

export const wallet = z.looseObject({
  id: z.string(),
  nickname: optional(z.string()),
  email: optional(z.string()),
  phone_number: optional(z.string()),
  avatar: optional(assetReference),
  language: z.enum(languages),
  fqdn: z.string(),
  activated: z.boolean(),
  disabled: z.boolean(),
  account: z.looseObject({
    address: z.string(),
    public_key: z.string(),
    type: z.enum(['ED25519', 'SECP256K1']),
  }),
  onboarding: optional(z.boolean()),
  when_created: dateTime,
  when_modified: dateTime,
});

/** The contract does not show which fields are required, so none is required here. */
export interface WalletRegistration {
  /** letters and digits only, at most 255 */
  readonly nickname?: string;
  readonly email?: string;
  /** E.164: `+` and up to 15 digits */
  readonly phone_number?: string;
  readonly language?: string;
  readonly avatar?: Readonly<z.input<typeof assetReference>>;
  readonly password?: string;
}

export const registerWallet = defineOperation({
  method: 'POST',
  path: '/wallets',
  repeatable: false,
  query: {},
});

export const wallets = defineResource({
  kind: 'wallets',
  label: l10n.t('Wallets'),
  singular: l10n.t('wallet'),
  icon: 'account',
  section: 'none',
  schema: wallet,
  read: { by: 'cache' },
  references: { 'avatar.id': 'assets' },
  links: { 'account.address': 'account' },
  idLink: 'account',
  features: ['actionLogs'],
  summary: (view) => ({
    title: view.nickname ?? view.fqdn ?? view.id ?? l10n.t('wallet'),
    details: nonEmptyStrings(view.account?.address, view.disabled === true && l10n.t('disabled')),
    ...(view.when_created !== undefined && { when: view.when_created }),
  }),
});

/** Wallets: the accounts that own objects, sign actions and write to support. */
import { languages } from '../../platform/resources/shapes.ts';
import { Draw } from '../random.ts';
import { at, iso, table, HOUR, type Context } from './context.ts';

export const WALLETS = 24;

const NICKNAMES = [
  'mariel', 'jonasw', 'TrailRunner77', 'okoye', 'ipek', 'lucafer', 'Annika', 'harborkid', 'dvora', 'quentin',
  'sunniva', 'tomasz', 'yuki', 'Beatriz', 'nils', 'amara', 'ravi', 'elodie', 'goran', 'freja', 'milo', 'saoirse', 'viktor', 'zeynep',
] as const; // prettier-ignore

export interface Account {
  readonly id: string;
  readonly index: number;
  readonly nickname: string;
  readonly address: string;
  readonly fqdn: string;
}

export function addressOf(seed: number, label: string, index: number): string {
  return `0x${new Draw(seed, `address ${label}`, index).hex(40)}`;
}

export function walletSource(context: Context, organization: (index: number) => { id: string; fqdn: string }) {
  const nicknameOf = (index: number): string => at(NICKNAMES, index);
  const source = table(context, {
    prefix: 'wal',
    size: WALLETS,
    days: 190,
    make: ({ index, id, created, draw }) => ({
      id,
      nickname: nicknameOf(index),
      ...(index % 3 !== 2 && { email: `${nicknameOf(index).toLowerCase()}@example.org` }),
      ...(index % 4 === 1 && { phone_number: `+4179${draw.between(1_000_000, 9_999_999)}` }),
      ...(index % 5 === 0 && {
        avatar: {
          id: `ava_${draw.hex(12)}`,
          name: 'avatar.svg',
          type: 'image/svg+xml',
          url: context.url('/files/avatar.svg'),
        },
      }),
      language: at(languages, index),
      fqdn: `${nicknameOf(index).toLowerCase()}.${organization(index).fqdn}`,
      activated: index % 7 !== 5,
      disabled: index % 11 === 10,
      account: {
        address: addressOf(context.seed, 'wallet', index),
        public_key: draw.hex(64),
        type: index % 2 === 0 ? 'ED25519' : 'SECP256K1',
      },
      ...(index % 7 === 5 && { onboarding: true }),
      when_created: iso(created),
      when_modified: iso(created + draw.int(HOUR)),
    }),
  });
  const accounts = Array.from({ length: WALLETS }, (_, index): Account => ({
    id: source.idAt(index),
    index,
    nickname: nicknameOf(index),
    address: addressOf(context.seed, 'wallet', index),
    fqdn: `${nicknameOf(index).toLowerCase()}.${organization(index).fqdn}`,
  }));
  const account = (index: number): Account => at(accounts, index);
  return { source, account };
}

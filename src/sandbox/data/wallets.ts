/** Wallets, which own objects, sign actions and write support messages. */
import * as z from 'zod/mini';
import { languages } from '../../platform/resources/shared-schemas.ts';
import { SeededRandom } from '../generation/random.ts';
import {
  pickCyclic,
  formatIso,
  createGeneratedSource,
  HOUR,
  type GenerationContext,
} from '../generation/generated-source.ts';

import { readWorld } from '../static-files.ts';

const NICKNAMES = readWorld('wallets', z.array(z.string()));
export const WALLET_COUNT = NICKNAMES.length;

export interface Account {
  readonly id: string;
  readonly nickname: string;
  readonly address: string;
  readonly fqdn: string;
}

/** An account address; `label` separates the address spaces. */
export function generateAddress(seed: number, label: string, index: number): string {
  return `0x${new SeededRandom(seed, `address ${label}`, index).hex(40)}`;
}

/** The source of wallets, and their accounts. */
export function createWallets(
  context: GenerationContext,
  organization: (index: number) => { id: string; fqdn: string },
) {
  const getNickname = (index: number): string => pickCyclic(NICKNAMES, index);
  const source = createGeneratedSource(context, {
    prefix: 'wal',
    size: WALLET_COUNT,
    days: 190,
    make: ({ index, id, created, draw }) => ({
      id,
      nickname: getNickname(index),
      ...(index % 3 !== 2 && { email: `${getNickname(index).toLowerCase()}@example.org` }),
      ...(index % 4 === 1 && { phone_number: `+4179${draw.between(1_000_000, 9_999_999)}` }),
      ...(index % 5 === 0 && {
        avatar: {
          id: `ava_${draw.hex(12)}`,
          name: 'avatar.svg',
          type: 'image/svg+xml',
          url: context.url('/files/avatar.svg'),
        },
      }),
      language: pickCyclic(languages, index),
      fqdn: `${getNickname(index).toLowerCase()}.${organization(index).fqdn}`,
      activated: index % 7 !== 5,
      disabled: index % 11 === 10,
      account: {
        address: generateAddress(context.seed, 'wallet', index),
        public_key: draw.hex(64),
        type: index % 2 === 0 ? 'ED25519' : 'SECP256K1',
      },
      ...(index % 7 === 5 && { onboarding: true }),
      when_created: formatIso(created),
      when_modified: formatIso(created + draw.int(HOUR)),
    }),
  });
  const accounts = Array.from({ length: WALLET_COUNT }, (_, index): Account => ({
    id: source.idAt(index),
    nickname: getNickname(index),
    address: generateAddress(context.seed, 'wallet', index),
    fqdn: `${getNickname(index).toLowerCase()}.${organization(index).fqdn}`,
  }));
  const account = (index: number): Account => pickCyclic(accounts, index);
  return { source, account };
}

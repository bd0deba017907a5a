/** Support messages. */
import * as z from 'zod/mini';
import {
  pickCyclic,
  formatIso,
  HOUR,
  createGeneratedSource,
  type GenerationContext,
} from '../generation/generated-source.ts';
import { readWorld } from '../static-files.ts';
import type { Organization } from './organizations.ts';
import type { Account } from './wallets.ts';

const MESSAGES = readWorld('support', z.array(z.object({ title: z.string(), content: z.string() })));

/** The source of support messages. */
export function createSupportMessages(
  context: GenerationContext,
  organizations: readonly [Organization, ...Organization[]],
  account: (index: number) => Account,
) {
  return createGeneratedSource(context, {
    prefix: 'msg',
    size: 64,
    days: 60,
    getOrganization: (index) => pickCyclic(organizations, index).id,
    make: ({ index, id, created, draw }) => {
      const { title, content } = pickCyclic(MESSAGES, index * 3 + draw.int(2));
      const file = context.url('/files/screenshot.png');
      return {
        id,
        wallet_id: account(index * 5 + 2).id,
        ...(title !== '' && { title }),
        content,
        ...(index % 4 === 0 && {
          assets: [
            {
              id: `att_${draw.hex(12)}`,
              name: 'screenshot.png',
              type: 'image/png',
              url: file,
              is_public: true,
              ...(index % 8 === 0 && { hash: draw.hex(64), when_created: formatIso(created) }),
            },
          ],
        }),
        when_modified: formatIso(Math.min(context.epoch, created + draw.int(20 * HOUR))),
        when_created: formatIso(created),
      };
    },
  });
}

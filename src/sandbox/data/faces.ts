/** Faces: how objects look, in every form that the contract and deployments know. */
import type { Item } from '../collection.ts';
import { at, iso, table, DAY, type Context } from './context.ts';
import * as content from './face-content.ts';
import type { Organization } from './organizations.ts';

interface FacePlan {
  readonly name: string;
  readonly organization: 0 | 1 | 2;
  readonly content?: string;
  /** one of the server's own pages */
  readonly page?: string;
  /** the content is the address of a picture: that of the template with this index */
  readonly picture?: number;
  readonly config?: Item;
  readonly assets?: readonly number[];
  readonly card?: string;
}

/** The first ones belong to the templates of the same index. */
export const facePlans: readonly [FacePlan, ...FacePlan[]] = [
  { name: 'Concert ticket', organization: 0, content: content.concertTicket, config: { aspect_ratio: '4/5', theme: 'light' } },
  { name: 'Backstage lanyard', organization: 0, content: content.backstagePass, config: { aspect_ratio: '3/4' } },
  { name: 'Wristband (SVG)', organization: 0, content: content.wristband, config: { aspect_ratio: '16/5' } },
  { name: 'Voucher fragment', organization: 0, content: content.voucher },
  { name: 'Trail badge (SVG)', organization: 1, content: content.trailBadge, assets: [4] },
  { name: 'Summit certificate', organization: 1, content: content.certificate },
  { name: 'Hut door (live page)', organization: 1, page: '/pages/hut-key', config: { refresh_s: 30 } },
  { name: 'Expedition poster', organization: 1, content: content.expedition, assets: [7, 14] },
  { name: 'Product passport', organization: 2, content: content.productPassport, card: content.productCard },
  { name: 'Loyalty card', organization: 2, content: content.loyaltyCard, config: { aspect_ratio: '1.586', dark: true } },
  { name: 'Print, picture only', organization: 2, picture: 10 },
  { name: 'Hostile face <script>', organization: 2, content: content.hostile, config: { note: 'must stay harmless' } },
  { name: 'Plain text slip', organization: 0, content: content.plainText },
  { name: 'Trail map (live page)', organization: 1, page: '/pages/map' },
  { name: 'Page that refuses framing', organization: 2, page: '/pages/no-frame' },
  { name: 'Nothing to render', organization: 2 },
  { name: '海の物語 🌊', organization: 2, content: '<h1 style="font-family:serif">{{.metadata.name}} 🌊</h1><p dir="auto">{{.custom.note}}</p>' },
]; // prettier-ignore

export interface FaceNeeds {
  readonly context: Context;
  readonly organizations: readonly [Organization, ...Organization[]];
  readonly reference: (index: number) => Item;
  readonly assetPath: (index: number) => string;
}

export function makeFaces({ context, organizations, reference, assetPath }: FaceNeeds) {
  return table(context, {
    prefix: 'fac',
    size: facePlans.length,
    days: 130,
    organizationOf: (index) => at(organizations, at(facePlans, index).organization).id,
    make: ({ index, id, created }) => {
      const plan = at(facePlans, index);
      const text = plan.picture === undefined ? plan.content : context.url(assetPath(plan.picture));
      return {
        id,
        name: plan.name,
        ...(plan.page !== undefined && { url: context.url(plan.page) }),
        ...(text !== undefined && { content: text }),
        ...(plan.config !== undefined && { config: plan.config }),
        ...(plan.assets !== undefined && { assets: plan.assets.map(reference) }),
        // Beyond the contract: newer deployments have it.
        ...(plan.card !== undefined && {
          views: [
            { variant: 'default', media_type: 'text/html', content: text, aspect_ratio: '3/4', interactive: false },
            { variant: 'card', media_type: 'text/html', content: plan.card, aspect_ratio: '16/10', interactive: false },
          ],
        }),
        when_created: iso(created),
        when_modified: iso(Math.min(context.epoch, created + (index % 9) * DAY)),
      };
    },
  });
}

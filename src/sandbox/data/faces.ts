/** Faces, in every form that the contract and deployments have. */
import type { Item } from '../generation/collection.ts';
import {
  pickCyclic,
  formatIso,
  createGeneratedSource,
  DAY,
  type GenerationContext,
} from '../generation/generated-source.ts';
import { readStaticFile } from '../static-files.ts';
import type { Organization } from './organizations.ts';

interface FacePlan {
  readonly name: string;
  readonly organization: 0 | 1 | 2;
  /** file of the content, in `static/faces/` */
  readonly file?: string;
  /** path of a page of the sandbox */
  readonly page?: string;
  /** index of a template whose picture's URL is the content */
  readonly picture?: number;
  readonly config?: Item;
  readonly assets?: readonly number[];
  /** file of a second view, the card */
  readonly card?: string;
}

/** Each template with the same index uses the face. */
const facePlans: readonly [FacePlan, ...FacePlan[]] = [
  { name: 'Concert ticket', organization: 0, file: 'concert-ticket.html', config: { aspect_ratio: '4/5', theme: 'light' } },
  { name: 'Backstage lanyard', organization: 0, file: 'backstage-pass.html', config: { aspect_ratio: '3/4' } },
  { name: 'Wristband (SVG)', organization: 0, file: 'wristband.svg', config: { aspect_ratio: '16/5' } },
  { name: 'Voucher fragment', organization: 0, file: 'voucher.html' },
  { name: 'Trail badge (SVG)', organization: 1, file: 'trail-badge.svg', assets: [4] },
  { name: 'Summit certificate', organization: 1, file: 'summit-certificate.html' },
  { name: 'Hut door (live page)', organization: 1, page: '/pages/hut-key', config: { refresh_s: 30 } },
  { name: 'Expedition poster', organization: 1, file: 'expedition.html', assets: [7, 14] },
  { name: 'Product passport', organization: 2, file: 'product-passport.html', card: 'product-card.html' },
  { name: 'Loyalty card', organization: 2, file: 'loyalty-card.html', config: { aspect_ratio: '1.586', dark: true } },
  { name: 'Print, picture only', organization: 2, picture: 10 },
  { name: 'Hostile face <script>', organization: 2, file: 'hostile.html', config: { note: 'must stay harmless' } },
  { name: 'Plain text slip', organization: 0, file: 'plain-text.txt' },
  { name: 'Trail map (live page)', organization: 1, page: '/pages/map' },
  { name: 'Page that refuses framing', organization: 2, page: '/pages/no-frame' },
  { name: 'Nothing to render', organization: 2 },
  { name: '海の物語 🌊', organization: 2, file: 'souvenir.html' },
]; // prettier-ignore

interface FaceOptions {
  readonly context: GenerationContext;
  readonly organizations: readonly [Organization, ...Organization[]];
  readonly reference: (index: number) => Item;
  readonly assetPath: (index: number) => string;
}

/** The source of faces. */
export function createFaces({ context, organizations, reference, assetPath }: FaceOptions) {
  return createGeneratedSource(context, {
    prefix: 'fac',
    size: facePlans.length,
    days: 130,
    getOrganization: (index) => pickCyclic(organizations, pickCyclic(facePlans, index).organization).id,
    make: ({ index, id, created }) => {
      const plan = pickCyclic(facePlans, index);
      const text = plan.picture === undefined ? readContent(plan.file) : context.url(assetPath(plan.picture));
      return {
        id,
        name: plan.name,
        ...(plan.page !== undefined && { url: context.url(plan.page) }),
        ...(text !== undefined && { content: text }),
        ...(plan.config !== undefined && { config: plan.config }),
        ...(plan.assets !== undefined && { assets: plan.assets.map(reference) }),
        // Not in the contract; newer deployments have it.
        ...(plan.card !== undefined && {
          views: [
            { variant: 'default', media_type: 'text/html', content: text, aspect_ratio: '3/4', interactive: false },
            {
              variant: 'card',
              media_type: 'text/html',
              content: readContent(plan.card),
              aspect_ratio: '16/10',
              interactive: false,
            },
          ],
        }),
        when_created: formatIso(created),
        when_modified: formatIso(Math.min(context.epoch, created + (index % 9) * DAY)),
      };
    },
  });
}

function readContent(file: string | undefined): string | undefined {
  return file === undefined ? undefined : readStaticFile(`faces/${file}`).toString();
}

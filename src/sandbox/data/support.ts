/** Support messages. */
import {
  pickCyclic,
  formatIso,
  HOUR,
  createGeneratedSource,
  type GenerationContext,
} from '../generation/generated-source.ts';
import type { Organization } from './organizations.ts';
import type { Account } from './wallets.ts';

const MESSAGES: readonly (readonly [title: string, content: string])[] = [
  ['Ticket does not show at the gate', 'The scanner says "unknown object", but I see the ticket in my wallet. Screenshot attached.'],
  ['Transfer sent to the wrong address', 'I mistyped the address by one digit. Is there any way to stop it before it settles?'],
  ['Badge was not dropped where I stood', 'The map shows my badge 200 m further down the trail. I could not pick it up again.'],
  ['Punkte fehlen nach dem Einlösen', 'Nach dem Einlösen am Samstag fehlen 120 Punkte auf meiner Karte. Können Sie das prüfen?'],
  ['受け取りができません', 'チケットを受け取ろうとすると「期間外」と表示されます。開始時刻は合っています。'],
  ['Warranty passport for a second-hand jacket', 'The seller transferred the passport, but the warranty still shows the first owner.'],
  ['<b>Bold</b> & "quoted" subject', 'Does the form escape <script>alert(1)</script>? Asking as a friend.'],
  ['', 'No subject, just a question: how long does a batch usually take?'],
  ['Fee higher than announced', 'The announcement said 0.0025, the log says 0.003125. Which one is right?'],
  ['Invite link expired', 'Could you send the invitation to the organization once more, please?'],
]; // prettier-ignore

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
      const [title, content] = pickCyclic(MESSAGES, index * 3 + draw.int(2));
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

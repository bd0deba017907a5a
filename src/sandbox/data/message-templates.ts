/** Message templates, one for each language, system and action type. */
import * as z from 'zod/mini';
import { messageTemplate } from '../../platform/resources/message-templates.ts';
import { languages } from '../../platform/resources/shared-schemas.ts';
import {
  pickCyclic,
  formatIso,
  createGeneratedSource,
  DAY,
  type GenerationContext,
} from '../generation/generated-source.ts';
import { readWorld } from '../static-files.ts';
import type { Organization } from './organizations.ts';

const SYSTEMS = messageTemplate.shape.system.options;
const TYPES = messageTemplate.shape.action_type.options;

const { titles: TITLES, greetings: GREETINGS } = readWorld(
  'message-templates',
  z.object({ titles: z.record(z.enum(TYPES), z.string()), greetings: z.record(z.enum(languages), z.string()) }),
);

/** The source of message templates. */
export function createMessageTemplates(
  context: GenerationContext,
  organizations: readonly [Organization, ...Organization[]],
) {
  return createGeneratedSource(context, {
    prefix: 'mtp',
    size: languages.length * SYSTEMS.length * TYPES.length,
    days: 120,
    make: ({ index, id, created }) => {
      const language = pickCyclic(languages, index);
      const system = pickCyclic(SYSTEMS, Math.floor(index / languages.length));
      const type = pickCyclic(TYPES, Math.floor(index / (languages.length * SYSTEMS.length)));
      const html = system === 'email';
      const text = `${GREETINGS[language]} {{nickname}}, ${TITLES[type].toLowerCase()}: {{${type === 'otp' ? 'code' : 'link'}}}`;
      return {
        id,
        org_id: pickCyclic(organizations, index).id,
        name: `${TITLES[type]} (${system}, ${language})`,
        language,
        system,
        action_type: type,
        ...(system !== 'sms' && { title: TITLES[type] }),
        ...(index % 3 === 0 && { project: pickCyclic(organizations, index).name }),
        content: html ? `<!doctype html><p>${text}</p><p>— ${pickCyclic(organizations, index).name}</p>` : text,
        content_type: html ? 'html' : 'text',
        ...(index % 2 === 0 && { values: { nickname: 'Mariel', link: 'https://example.org/start', code: '204 913' } }),
        when_modified: formatIso(Math.min(context.epoch, created + (index % 30) * DAY)),
        when_created: formatIso(created),
      };
    },
  });
}

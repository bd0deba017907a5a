/** Message templates: one for each language, system and action type. */
import { languages } from '../../platform/resources/shapes.ts';
import { at, iso, table, DAY, type Context } from './context.ts';
import type { Organization } from './organizations.ts';

const SYSTEMS = ['email', 'sms', 'push'] as const;
const TYPES = ['register', 'login', 'reset', 'verify', 'otp', 'org_invite', 'custom', 'internal'] as const;

const TITLES: Readonly<Record<(typeof TYPES)[number], string>> = {
  register: 'Welcome aboard',
  login: 'New sign-in',
  reset: 'Reset your password',
  verify: 'Confirm your address',
  otp: 'Your one-time code',
  org_invite: 'You are invited',
  custom: 'News from the organizer',
  internal: 'Operations notice',
};

const GREETINGS: Readonly<Record<(typeof languages)[number], string>> = {
  en: 'Hello',
  es: 'Hola',
  fr: 'Bonjour',
  de: 'Guten Tag',
  it: 'Buongiorno',
  pt: 'Olá',
  ru: 'Здравствуйте',
};

export function messageTemplateSource(context: Context, organizations: readonly [Organization, ...Organization[]]) {
  return table(context, {
    prefix: 'mtp',
    size: languages.length * SYSTEMS.length * TYPES.length,
    days: 120,
    make: ({ index, id, created }) => {
      const language = at(languages, index);
      const system = at(SYSTEMS, Math.floor(index / languages.length));
      const type = at(TYPES, Math.floor(index / (languages.length * SYSTEMS.length)));
      const html = system === 'email';
      const words = `${GREETINGS[language]} {{nickname}}, ${TITLES[type].toLowerCase()}: {{${type === 'otp' ? 'code' : 'link'}}}`;
      return {
        id,
        org_id: at(organizations, index).id,
        name: `${TITLES[type]} (${system}, ${language})`,
        language,
        system,
        action_type: type,
        ...(system !== 'sms' && { title: TITLES[type] }),
        ...(index % 3 === 0 && { project: at(organizations, index).name }),
        content: html ? `<!doctype html><p>${words}</p><p>— ${at(organizations, index).name}</p>` : words,
        content_type: html ? 'html' : 'text',
        ...(index % 2 === 0 && { values: { nickname: 'Mariel', link: 'https://example.org/start', code: '204 913' } }),
        when_modified: iso(Math.min(context.epoch, created + (index % 30) * DAY)),
        when_created: iso(created),
      };
    },
  });
}

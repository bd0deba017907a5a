/** Message templates: the texts of e-mail, SMS and push notifications. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { defineOperation, pageParameters, sharedParameters } from '../operation.ts';
import { nonEmptyStrings, defineResource } from '../resource.ts';
import { dateTime, undocumented, optional } from '../schema.ts';
import { languages } from './shared-schemas.ts';

export const messageTemplate = z.looseObject({
  id: z.string(),
  org_id: undocumented,
  name: z.string(),
  language: z.enum(languages),
  system: z.enum(['email', 'sms', 'push']),
  action_type: z.enum(['register', 'login', 'reset', 'verify', 'otp', 'org_invite', 'custom', 'internal']),
  title: optional(z.string()),
  project: optional(z.string()),
  content: z.string(),
  content_type: z.enum(['text', 'html']),
  values: optional(z.record(z.string(), z.string())),
  when_modified: dateTime,
  when_created: dateTime,
});

const listMessageTemplates = defineOperation({
  method: 'GET',
  path: '/messages/templates',
  repeatable: true,
  query: {
    id: sharedParameters.id,
    autocomplete: sharedParameters.autocomplete,
    ...pageParameters,
    language: { type: 'enum', about: l10n.t('language'), values: languages },
    // The contract describes these two as filters for public and unpublished templates, without values.
    system: {
      type: 'text',
      about: l10n.t('publicly accessible templates'),
      suggestions: ['true', 'false', 'email', 'sms', 'push'],
    },
    type: { type: 'text', about: l10n.t('unpublished templates'), suggestions: ['true', 'false'] },
    when_created: sharedParameters.when_created,
  },
  permission: { resource: 'notifications.templates', verb: 'read' },
});

export const messageTemplates = defineResource({
  kind: 'message-templates',
  label: l10n.t('Message Templates'),
  singular: l10n.t('message template'),
  icon: 'mail',
  section: 'connection',
  schema: messageTemplate,
  list: { operation: listMessageTemplates, key: 'templates' },
  read: { by: 'filter' },
  references: { org_id: 'organizations' },
  summary: (view) => ({
    title: view.name ?? view.id ?? l10n.t('message template'),
    details: nonEmptyStrings(view.system, view.language, view.action_type),
    ...(view.when_modified !== undefined && { when: view.when_modified }),
  }),
});

/** Message templates: what notifications say by e-mail, SMS and push. */
import * as z from 'zod/mini';
import { operation, shared } from '../operation.ts';
import { present, resource } from '../resource.ts';
import { dateTime, notShown, optional } from '../schema.ts';
import { languages } from './shapes.ts';

export const messageTemplate = z.looseObject({
  id: z.string(),
  org_id: notShown,
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

export const listMessageTemplates = operation({
  method: 'GET',
  path: '/messages/templates',
  repeatable: true,
  query: {
    id: shared.id,
    limit: shared.limit,
    next: shared.next,
    autocomplete: shared.autocomplete,
    order: shared.order,
    sortBy: shared.sortBy,
    language: { type: 'enum', about: 'language', values: languages },
    // The contract describes these two as filters of public and unpublished templates and fixes no values.
    system: {
      type: 'text',
      about: 'publicly accessible templates',
      suggestions: ['true', 'false', 'email', 'sms', 'push'],
    },
    type: { type: 'text', about: 'unpublished templates', suggestions: ['true', 'false'] },
    when_created: shared.when_created,
  },
  permission: { resource: 'notifications.templates', verb: 'read' },
});

export const messageTemplates = resource({
  kind: 'message-templates',
  label: 'Message Templates',
  singular: 'message template',
  icon: 'mail',
  section: 'connection',
  schema: messageTemplate,
  list: { operation: listMessageTemplates, key: 'templates' },
  read: { by: 'filter' },
  references: { org_id: 'organizations' },
  summary: (view) => ({
    title: view.name ?? view.id ?? 'message template',
    details: present(view.system, view.language, view.action_type),
    ...(view.when_modified !== undefined && { when: view.when_modified }),
  }),
});

/** Permission matrices of roles and API keys: resource by create, read, update, delete. */
import * as l10n from '@vscode/l10n';
import type { Verb } from '../../platform/operation.ts';
import { resourceNames } from '../../platform/resources/permission.ts';
import { escapeMarkdown, formatTable } from './markdown.ts';
import { isGranted, type Grants } from '../session/permissions.ts';

const columns: readonly Verb[] = ['create', 'read', 'update', 'delete'];

/** The contract's resources in its order, then additional ones of the server. */
export function formatPermissionMatrix(grants: Grants): string {
  const names = new Set<string>(resourceNames);
  const all = [...resourceNames, ...[...grants.crud.keys()].filter((name) => !names.has(name))];
  return formatTable(
    [l10n.t('Resource'), ...columns.map(formatVerb)],
    all.map((name) => [
      names.has(name) ? escapeMarkdown(name) : l10n.t('{0} (not in the contract)', escapeMarkdown(name)),
      ...columns.map((verb) => formatGranted(isGranted(grants, name, verb))),
    ]),
  );
}

function formatVerb(verb: Verb): string {
  const labels = {
    create: l10n.t({ message: 'Create', args: [], comment: 'Column header: the permission to create' }),
    read: l10n.t({ message: 'Read', args: [], comment: 'Column header: the permission to read' }),
    update: l10n.t({ message: 'Update', args: [], comment: 'Column header: the permission to update' }),
    delete: l10n.t({ message: 'Delete', args: [], comment: 'Column header: the permission to delete' }),
  };
  return labels[verb];
}

/** Text instead of symbols, for screen readers and copies. */
function formatGranted(granted: boolean | undefined): string {
  if (granted === undefined) return l10n.t('not provided');
  return granted ? l10n.t('✓ yes') : l10n.t('– no');
}

/** The expiry of an API key. */
export function formatKeyExpiry(expires: string | undefined, now: number): string {
  if (expires === undefined) return l10n.t('no expiration date');
  const at = Date.parse(expires);
  if (Number.isNaN(at)) return l10n.t('expires {0}', escapeMarkdown(expires, 40));
  const time = `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return at <= now ? l10n.t('expired {0}', time) : l10n.t('expires {0}', time);
}

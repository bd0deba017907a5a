/** The action buttons of a page, from the actions of the template. */
import * as l10n from '@vscode/l10n';
import { getActionKind } from '../actions/file/action-kinds.ts';
import { getResourceCommands } from '../documents/resource-commands.ts';
import type { ResourceArgument } from '../model/resources/resource-argument.ts';
import { createActionFact } from '../platform/resources/facts.ts';
import { template } from '../platform/resources/templates.ts';
import { createView } from '../platform/schema.ts';
import { toPlainText } from '../platform/text/plain-text.ts';
import type { PageState } from '../webviews/protocol/page.ts';

const MAX_ACTIONS = 20;
/** Characters of a name that the page can send. */
const MAX_NAME_LENGTH = 300;

/**
 * Returns the actions on an object, the one that ends it last, or that a template offers: it is minted from. `raw`: JSON of
 * the template.
 */
export function listActions({ kind }: ResourceArgument, raw: unknown): PageState['actions'] {
  if (kind !== 'objects' && kind !== 'templates') return [];
  const names = new Set<string>();
  const listed = (createView(template, raw)?.actions ?? []).slice(0, MAX_ACTIONS).flatMap((action) => {
    const { name, alias } = action;
    if (name === undefined || (name === 'mint') !== (kind === 'templates') || names.has(name)) return [];
    names.add(name);
    const own = toPlainText(alias ?? '', 40);
    const label = own || toPlainText(name, 40);
    if (label === '' || name.length > MAX_NAME_LENGTH) return [];
    const about = getActionKind(name)?.about ?? toPlainText(createActionFact(action).value, 300);
    const title = own === '' ? getCommandTitle(name) : undefined;
    return [{ name, label: title ?? l10n.t('{0}…', toTitle(label)), about }];
  });
  return listed.toSorted((a, b) => Number(a.name === 'burn') - Number(b.name === 'burn'));
}

/** Returns the commands of a kind that the page has buttons for. */
export function listCommands(kind: string): PageState['commands'] {
  return getResourceCommands(kind).flatMap(({ command, label }) =>
    command === 'previewFace' || command === 'previewAsset' || command === 'newActionFileFrom'
      ? [{ id: command, label }]
      : [],
  );
}

/** The title of an action that its template does not name, as that of the command on rows. */
function getCommandTitle(name: string): string | undefined {
  switch (name) {
    case 'mint':
      return l10n.t('Mint…');
    case 'transfer':
      return l10n.t('Transfer…');
    case 'redeem':
      return l10n.t('Redeem…');
    case 'update':
      return l10n.t('Update…');
    case 'burn':
      return l10n.t('Burn…');
    case 'drop':
      return l10n.t('Drop…');
    case 'pickup':
      return l10n.t('Pick Up…');
    default:
      return undefined;
  }
}

/** `transfer` → `Transfer`; a name of several words stays as it is */
function toTitle(name: string): string {
  return name.charAt(0).toLocaleUpperCase() + name.slice(1);
}

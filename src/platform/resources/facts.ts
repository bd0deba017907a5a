/** Builds the facts of a resource: properties that the tree shows below it. */
import * as l10n from '@vscode/l10n';
import { getOwn, isObject } from '../json/json.ts';
import type { SchemaView } from '../schema.ts';
import type { templateAction } from './shared-schemas.ts';
import { formatList } from '../text/localization.ts';

export interface Fact {
  readonly type: 'fact';
  readonly label: string;
  readonly value: string;
  /** codicon */
  readonly icon: string;
  /** http or https; opened in the browser on a click, never loaded */
  readonly url?: string;
}

/** Creates a fact; empty without a value. */
export function createFact(label: string, value: string | number | bigint | undefined, icon: string): readonly Fact[] {
  return value === undefined || value === '' ? [] : [{ type: 'fact', label, value: String(value), icon }];
}

/** Creates a fact that opens its value in the browser; any other address than http and https is plain text. */
export function createLinkFact(label: string, url: string | undefined): readonly Fact[] {
  const usable = url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url);
  return usable ? [{ type: 'fact', label, value: url, icon: 'link-external', url }] : createFact(label, url, 'link');
}

/** Creates one fact for each permission of a role or API key: `objects: read, create`. */
export function createPermissionFacts(raw: unknown): readonly Fact[] {
  const permissions: unknown = isObject(raw) ? raw['permissions'] : undefined;
  if (!Array.isArray(permissions)) return [];
  return permissions.filter(isObject).flatMap(({ resource, crud }) => {
    if (typeof resource !== 'string') return [];
    const verbs = isObject(crud) ? Object.entries(crud).filter(([, allowed]) => allowed === true) : [];
    return createFact(
      resource,
      formatList(
        verbs.map(([verb]) => verb),
        'unit',
      ) || l10n.t({ message: 'none', args: [], comment: 'No permissions' }),
      'shield',
    );
  });
}

const accessIcons: Readonly<Record<string, string>> = {
  public: 'globe',
  private: 'lock',
  whitelist: 'list-selection',
  token: 'key',
};

/** Creates the fact of a template's action: its name and its access rule. */
export function createActionFact(view: SchemaView<typeof templateAction>): Fact {
  const access = view.access?.type;
  const parts = [
    view.alias === undefined ? undefined : view.name,
    access ?? l10n.t('access not specified'),
    access === 'token' ? formatTokens(view.access?.tokens ?? {}) : undefined,
  ];
  return {
    type: 'fact',
    label: view.alias ?? view.name ?? l10n.t('action'),
    value: parts.filter((part) => typeof part === 'string' && part !== '').join(' · '),
    icon: access === undefined ? 'question' : (getOwn(accessIcons, access) ?? 'question'),
  };
}

/** Creates the fact of an action of which only the name is known. */
export function createUnknownActionFact(name: string): Fact {
  return { type: 'fact', label: name, value: l10n.t('action'), icon: 'zap' };
}

function formatTokens(amounts: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(amounts).map(([token, amount]) => `${JSON.stringify(amount)} ${token}`);
  return formatList(texts.slice(0, 5), 'unit');
}

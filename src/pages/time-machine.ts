/** The known states of an object as fields, for the page to compare. */
import * as l10n from '@vscode/l10n';
import type { KnownState } from '../logs/history/chain.ts';
import { MASK } from '../platform/json/secrets.ts';
import type { ResourceDefinition } from '../platform/resource.ts';
import { formatPair } from '../platform/text/localization.ts';
import type { PageField, PageState } from '../webviews/protocol/page.ts';
import { createGroups, createHeaderFields, type FieldContext } from './fields.ts';

/** Newest states of an object that its page compares. */
const MAX_STATES = 50;

/** Creates the states of the page, oldest first; `undefined` if there is only one. */
export function createTimeMachine(
  states: readonly KnownState[],
  definition: ResourceDefinition,
  context: FieldContext,
): PageState['timeMachine'] {
  if (states.length < 2) return undefined;
  return {
    states: states.slice(-MAX_STATES).map(({ root, raw, step }) => ({
      root,
      step,
      fields: [
        ...createHeaderFields(definition, raw, context).map((field) => createStateField(field.label, field)),
        ...createGroups(definition, raw, context).flatMap(({ title, fields }) =>
          fields.map((field) => createStateField(l10n.t('{0} › {1}', title, field.label), field)),
        ),
      ],
    })),
  };
}

/** A value in full: the id of a name, the time of a distance. */
function createStateField(label: string, { value, detail, link }: PageField) {
  if (detail === undefined || value === MASK) return { label, value };
  return { label, value: link === undefined ? detail : formatPair(value, detail) };
}

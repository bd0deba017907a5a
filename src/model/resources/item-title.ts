import { getValuesAt } from '../../platform/json/field-values.ts';
import { getItemId } from '../../platform/page.ts';
import type { ItemSummary, ResourceDefinition } from '../../platform/resource.ts';
import type { GetTitle } from './filter-fields.ts';

/** Characters of an id that tell apart what has nothing else. */
const ID_TAIL_LENGTH = 6;

/**
 * Returns what a resource is called wherever it is shown: its name and edition; without a name that of its template, and
 * the edition or the end of its id; the id if nothing else is known. Untrusted.
 */
export function getItemTitle(
  definition: ResourceDefinition,
  raw: unknown,
  getTitle: GetTitle,
  { title, isUnnamed = false }: ItemSummary = definition.summary(raw),
): string {
  return isUnnamed ? formatUnnamed(title, getItemId(raw), getTemplateTitle(definition, raw, getTitle)) : title;
}

/** Returns the title of the template that a resource is made from, if it is known. */
export function getTemplateTitle(
  { templateField: field, references }: ResourceDefinition,
  raw: unknown,
  getTitle: GetTitle,
): string | undefined {
  const kind = field === undefined ? undefined : references[field];
  const id = field === undefined ? undefined : getValuesAt(raw, field)[0];
  return kind === undefined || id === undefined ? undefined : getTitle(kind, id);
}

/** Puts the title of its template before that of a resource without a name. */
export function formatUnnamed(title: string, id: string | undefined, template: string | undefined): string {
  if (template === undefined || template === '') return title;
  return `${template} ${title === id ? `…${id.slice(-ID_TAIL_LENGTH)}` : title}`;
}

/** The values that arguments and options accept, from the registry. */
import { Help } from 'commander';
import { listConditionParameters } from '../explorer/filter/condition.ts';
import { kinds, registry, type Kind } from '../platform/registry.ts';
import type { ResourceDefinition } from '../platform/resource.ts';
import { actionLogStates } from '../platform/resources/action-logs.ts';
import { statisticsSeries } from '../platform/resources/statistics.ts';
import type { Choices } from './program.ts';

/** Columns before the filters of a kind. */
const FILTER_INDENT = 21;

const getDefinition = (kind: Kind): ResourceDefinition => registry[kind];
const listKinds = kinds.filter((kind) => getDefinition(kind).list !== undefined);

export const choices: Choices = {
  readableKinds: kinds.filter((kind) => registry[kind].read.by !== 'cache'),
  listKinds,
  linkedKinds: kinds.filter((kind) => getDefinition(kind).idLink !== undefined),
  logStates: actionLogStates,
  series: statisticsSeries.map(({ id }) => id),
  formatFilters: (width) =>
    listKinds
      .map((kind) => {
        const names = listConditionParameters(getDefinition(kind)).map(([name]) => name);
        const lines = new Help().boxWrap(names.join(', '), width - FILTER_INDENT).split('\n');
        return `  ${kind.padEnd(FILTER_INDENT - 2)}${lines.join(`\n${' '.repeat(FILTER_INDENT)}`)}`;
      })
      .join('\n'),
};

/** What a shell offers for a word, from the declared commands, arguments and options. */
import type { Command, Option } from 'commander';
import { getValues, listConditionParameters } from '../../explorer/filter/condition.ts';
import { isKind, registry } from '../../platform/registry.ts';

/** Candidates for the last of `words`, which follow the name of the program. */
export function complete(program: Command, words: readonly string[]): readonly string[] {
  const current = words.at(-1) ?? '';
  let command = program;
  const positionals: string[] = [];
  let option: Option | undefined;
  for (const word of words.slice(0, -1)) {
    if (option !== undefined) option = undefined;
    else if (word.startsWith('-')) option = word.includes('=') ? undefined : findValueOption(command, word);
    else {
      const next = positionals.length > 0 ? undefined : command.commands.find((one) => one.name() === word);
      if (next === undefined) positionals.push(word);
      else command = next;
    }
  }
  const [, name = '', part] = /^(--[\w-]+)=(.*)$/s.exec(current) ?? [];
  const assigned = part === undefined ? undefined : findValueOption(command, name);
  if (assigned !== undefined && part !== undefined)
    return select(listValues(command, assigned, positionals, part), part).map((value) => `${name}=${value}`);
  if (option !== undefined) return select(listValues(command, option, positionals, current), current);
  if (current.startsWith('-'))
    return select(
      [...command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []), '--help'],
      current,
    );
  const commands = positionals.length > 0 ? [] : command.commands.map((one) => one.name());
  return select([...commands, ...(command.registeredArguments[positionals.length]?.argChoices ?? [])], current);
}

function select(candidates: readonly string[], start: string): readonly string[] {
  return candidates.filter((candidate) => candidate.startsWith(start));
}

function findValueOption(command: Command, name: string): Option | undefined {
  return command.options.find((option) => (option.long === name || option.short === name) && option.required);
}

function listValues(
  command: Command,
  option: Option,
  [kind = '']: readonly string[],
  current: string,
): readonly string[] {
  if (option.long !== '--filter') return option.argChoices ?? [];
  const listed = command.name() === 'logs' ? 'action-logs' : kind;
  if (!isKind(listed)) return [];
  return listConditionParameters(registry[listed]).flatMap(([name, parameter]) => {
    if (parameter.type === 'dates') return [`${name}>=`];
    return current.startsWith(`${name}=`)
      ? (getValues(parameter) ?? []).map((value) => `${name}=${value}`)
      : [`${name}=`];
  });
}

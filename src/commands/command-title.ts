/** The titles of commands, as VS Code shows them: in its display language. */
import { isObject } from '../platform/json/json.ts';
import type { CommandId } from './ids.ts';

/** Variants of another command, whose titles continue with what they ask for. */
const VARIANTS: Readonly<Partial<Record<CommandId, CommandId>>> = {
  executeAs: 'executeAction',
  executeOn: 'executeAction',
};

/**
 * Returns the title of a command without its ellipsis, or its id if the manifest has none. `manifest`: package.json as
 * VS Code has read it, in which a translated title is an object.
 */
export function readCommandTitle(manifest: unknown, id: CommandId): string {
  const contributes = isObject(manifest) ? manifest['contributes'] : undefined;
  const commands = isObject(contributes) ? contributes['commands'] : undefined;
  const name = `smartObjects.${VARIANTS[id] ?? id}`;
  const command: unknown = Array.isArray(commands)
    ? commands.find((candidate: unknown) => isObject(candidate) && candidate['command'] === name)
    : undefined;
  const title = isObject(command) ? command['title'] : undefined;
  const text = isObject(title) ? title['value'] : title;
  return typeof text === 'string' ? text.replace(/\s*(?:…|\.{3})$/, '') : id;
}

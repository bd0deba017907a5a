import { Option } from 'commander';

/** Declares an option that may be repeated; its value is an array, absent without one. */
export function createRepeatableOption(flags: string, description: string): Option {
  const collect = (value: string, previous: readonly string[] = []): readonly string[] => [...previous, value];
  return new Option(flags, `${description}; may be repeated`).argParser(collect);
}

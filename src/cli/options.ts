/** Declares and reads options. */
import { Option } from 'commander';
import { UsageError } from './usage-error.ts';

/** Declares an option with a default that help shows without quotes. */
export function createOptionWithDefault(flags: string, description: string, value: string): Option {
  return new Option(flags, description).default(value, value);
}

/** Declares an option that may be repeated; its value is an array, absent without one. */
export function createRepeatableOption(flags: string, description: string): Option {
  const collect = (value: string, previous: readonly string[] = []): readonly string[] => [...previous, value];
  return new Option(flags, `${description}; may be repeated`).argParser(collect);
}

/** Parses the number of an option. Throws UsageError for anything but a whole number from `min` to `max`. */
export function parseCount(option: string, text: string, min: number, max: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(`${option} must be a whole number from ${String(min)} to ${String(max)}`);
}

/** Parses the seconds of an option to milliseconds. Throws UsageError. */
export function parseSeconds(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0 || value > 86_400)
    throw new UsageError(`${option} must be a number of seconds`);
  return value * 1000;
}

import { Option } from 'commander';

const formats = ['table', 'json', 'ndjson', 'csv'] as const;
export type Format = (typeof formats)[number];
const reportFormats = ['table', 'markdown', 'json'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** Declares `--format` of records. */
export function createFormatOption(): Option {
  return createOption('table: aligned on a terminal, tab-separated without a header in a pipe', formats);
}

/** Declares `--format` of a report. */
export function createReportFormatOption(): Option {
  return createOption('table: for people on a terminal, tab-separated operations in a pipe', reportFormats);
}

function createOption(description: string, choices: readonly string[]): Option {
  return new Option('--format <format>', description).choices(choices).default('table');
}

import { Option, type Command } from 'commander';

const formats = ['table', 'json', 'ndjson', 'csv'] as const;
const reportFormats = ['table', 'markdown', 'json'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** The options of records as the parser returns them. */
export interface RecordValues {
  readonly format: (typeof formats)[number];
  /** paths of fields, separated by commas */
  readonly fields?: string;
  readonly header?: true;
}

/** Declares the options of records. */
export function addRecordOptions(command: Command): Command {
  return command
    .addOption(createOption('table: aligned on a terminal, tab-separated in a pipe', formats))
    .option('--fields <paths>', 'only these fields of each record, such as id,metadata.name')
    .option('--header', 'begin tab-separated lines with one of the names');
}

/** Declares `--format` of a report. */
export function createReportFormatOption(): Option {
  return createOption('table: for people on a terminal, tab-separated operations in a pipe', reportFormats);
}

function createOption(description: string, choices: readonly string[]): Option {
  return new Option('--format <format>', description).choices(choices).default('table');
}

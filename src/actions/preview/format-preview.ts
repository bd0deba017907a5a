import * as l10n from '@vscode/l10n';
import { formatName } from '../file/action-kinds.ts';
import type { PreviewedObject } from './predict-effect.ts';
import type { Preview } from './preview.ts';
import { formatList, formatPair } from '../../platform/text/localization.ts';
import { formatTimestamp } from '../../model/text/time-format.ts';

interface FormatOptions {
  /** how ids and program text are marked; default: not at all */
  readonly formatCode?: (text: string) => string;
  /** escapes text of the server and of the file; default: unchanged */
  readonly escape?: (text: string) => string;
  /** formats an ISO 8601 time; default: unchanged */
  readonly formatTime?: (text: string) => string;
  /** leaves out that nothing was sent: the preview is shown beside a run */
  readonly isBesideRun?: boolean;
}

/** Formats a preview as lines of text under headings, which are valid Markdown too. */
export function formatPreview(preview: Preview, options: FormatOptions = {}): string {
  const { escape = keep } = options;
  const { name, effect, body, notes, prediction, problems, curl } = preview;
  const { objects = [], template } = prediction ?? {};
  const sections: readonly (readonly [heading: string, lines: readonly string[]])[] = [
    [
      l10n.t('Problems'),
      problems.map(({ severity, message }) => `- ${formatProblem(severity, endSentence(escape(message)))}`),
    ],
    [l10n.t('Request'), ['```json', body.trimEnd(), '```', ...notes.map((note) => `- ${endSentence(escape(note))}`)]],
    [l10n.t('Current objects'), objects.map((object) => `- ${formatObject(object, options)}`)],
    [
      l10n.t('Template'),
      template === undefined
        ? []
        : [
            `- ${formatResource(template, options)}${template.problem === undefined ? '' : `: ${escape(template.problem)}`}`,
            ...template.rules.map((rule) => `- ${escape(rule)}.`),
          ],
    ],
    ['cURL', curl === undefined ? [] : ['```sh', curl, '```']],
  ];
  return [
    `# ${l10n.t('Preview of {0}', escape(name))}`,
    options.isBesideRun === true ? endSentence(escape(effect)) : l10n.t('{0}. Nothing was sent.', escape(effect)),
    formatFacts(preview, options)
      .map((fact) => `- ${fact}`)
      .join('\n'),
    ...sections
      .filter(([, lines]) => lines.length > 0)
      .map(([heading, lines]) => `## ${heading}\n\n${separateBlocks(lines).join('\n')}`),
  ]
    .join('\n\n')
    .concat('\n');
}

/** The lines of the action, and what is known about it, without markup. For confirmations. */
export function formatPreviewLines(preview: Preview): readonly string[] {
  const problems = preview.problems.map(({ severity, message }) => formatProblem(severity, endSentence(message)));
  return [...formatFacts(preview, {}), ...preview.notes.map(endSentence), ...problems];
}

function formatFacts(
  { lines, connection, signature, prediction }: Preview,
  { escape = keep, formatCode = keep }: FormatOptions,
): readonly string[] {
  const { permission, fee } = prediction ?? {};
  return [
    ...lines.map(escape),
    fee === undefined ? undefined : l10n.t('Fee: {0}', escape(fee)),
    permission === undefined ? undefined : l10n.t('Permission: {0}', permission),
    connection === undefined
      ? undefined
      : l10n.t(
          'Connection: {0} · {1}, {2}',
          connection.environment,
          escape(connection.name),
          formatCode(connection.baseUrl),
        ),
    l10n.t('Signature: {0}', escape(signature)),
  ].filter((fact) => fact !== undefined);
}

/** As `formatPreview`, as Markdown in which no text of the server or of the file is markup. */
export function formatMarkdownPreview(preview: Preview, formatTime = keep): string {
  const escape = (text: string): string => text.replace(/[\\`[<&]/g, String.raw`\$&`);
  return formatPreview(preview, { escape, formatCode: (text) => `\`${text.replaceAll('`', '')}\``, formatTime });
}

function formatProblem(severity: Preview['problems'][number]['severity'], message: string): string {
  if (severity === 'error') return l10n.t('Error: {0}', message);
  return severity === 'warning' ? l10n.t('Warning: {0}', message) : l10n.t('Note: {0}', message);
}

/** A list after a block of code begins a paragraph of its own. */
function separateBlocks(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line, index) => (lines[index - 1] === '```' ? ['', line] : [line]));
}

function formatResource(
  { id, name }: { readonly id: string; readonly name?: string | undefined },
  { escape = keep, formatCode = keep }: FormatOptions,
): string {
  return name === undefined ? formatCode(id) : l10n.t('“{0}” ({1})', escape(formatName(name)), formatCode(id));
}

function formatObject(object: PreviewedObject, options: FormatOptions): string {
  const { escape = keep, formatTime = keep } = options;
  const { owner, ownerName, version, location, modified, problem } = object;
  const facts =
    problem === undefined
      ? [
          ...(owner === undefined
            ? []
            : [l10n.t('owner {0}', formatResource({ id: owner, name: ownerName }, options))]),
          ...(version === undefined ? [] : [l10n.t('version {0}', escape(version))]),
          ...(location === undefined ? [] : [l10n.t('at {0}', escape(location))]),
          ...(modified === undefined ? [] : [l10n.t('changed {0}', escape(formatTime(modified)))]),
        ]
      : [escape(problem)];
  const subject = formatResource(object, options);
  return facts.length === 0 ? subject : formatPair(subject, formatList(facts, 'unit'));
}

/** A time of the platform as users read it; other texts are returned as they are. */
export function formatTimeText(text: string): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : formatTimestamp(time);
}

function endSentence(text: string): string {
  return /[.?!…]$/.test(text) ? text : `${text}.`;
}

function keep(text: string): string {
  return text;
}

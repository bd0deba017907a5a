import { toPlainLines } from '../../platform/text/plain-text.ts';

export interface TestResult {
  readonly name: string;
  /** of the file, relative to the working folder */
  readonly path: string;
  /** milliseconds */
  readonly duration: number;
  /** a sentence each; empty if as expected */
  readonly failures: readonly string[];
  /** why nothing was sent at all */
  readonly error?: string;
  readonly skipped?: string;
  /** facts by name: outcome, reason, ids, transaction */
  readonly properties?: Readonly<Record<string, string>>;
}

/** A JUnit report as XML 1.0, as Jenkins reads it, valid for any text in the results. `ended`: milliseconds since 1970. */
export function formatJunitReport(name: string, results: readonly TestResult[], ended = Date.now()): string {
  const count = (matches: (result: TestResult) => boolean): string => String(results.filter(matches).length);
  const time = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);
  const total = results.reduce((sum, { duration }) => sum + duration, 0);
  const counts = [
    `tests="${String(results.length)}"`,
    `failures="${count(({ failures }) => failures.length > 0)}"`,
    `errors="${count(({ error }) => error !== undefined)}"`,
    `skipped="${count(({ skipped }) => skipped !== undefined)}"`,
    `time="${time(total)}"`,
    `timestamp="${new Date(ended - total).toISOString().slice(0, 19)}"`,
  ].join(' ');
  const cases = results.map((result) => {
    const open = `    <testcase name="${escapeXml(result.name)}" classname="${escapeXml(result.path)}" time="${time(result.duration)}"`;
    const children = [...formatResultDetails(result), ...formatProperties(result)];
    return children.length === 0 ? `${open}/>` : [`${open}>`, ...children, '    </testcase>'].join('\n');
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${escapeXml(name)}" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

/** The facts as output: the schema of Jenkins knows no properties of a test case. */
function formatProperties({ properties = {} }: TestResult): readonly string[] {
  const lines = Object.entries(properties).map(([name, value]) => escapeXml(`${name}: ${value}`));
  return lines.length === 0 ? [] : [`      <system-out>${lines.join('\n')}</system-out>`];
}

function formatResultDetails({ failures, error, skipped }: TestResult): readonly string[] {
  if (error !== undefined) return [`      <error message="${escapeXml(error)}"/>`];
  if (skipped !== undefined) return [`      <skipped message="${escapeXml(skipped)}"/>`];
  const [first] = failures;
  if (first === undefined) return [];
  return [`      <failure message="${escapeXml(first)}">${escapeXml(failures.join('\n'))}</failure>`];
}

function escapeXml(text: string): string {
  return (
    toPlainLines(text.toWellFormed())
      // XML 1.0 cannot represent these.
      .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\n', '&#10;')
  );
}

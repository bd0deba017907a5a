/** A JUnit report, as CI systems read it. */
import { plainLines } from '../platform/plain-text.ts';

export interface Result {
  readonly name: string;
  /** of the file, relative to the working folder */
  readonly path: string;
  /** milliseconds */
  readonly took: number;
  /** one sentence each; empty: as expected */
  readonly failures: readonly string[];
  /** why it was not sent at all, where the whole run was not begun */
  readonly error?: string;
  readonly skipped?: string;
  /** what proves the outcome, by name: outcome, reason, action ID, transaction */
  readonly properties?: Readonly<Record<string, string>>;
}

/** The report as XML 1.0 text, whatever the results hold. */
export function junitOf(name: string, results: readonly Result[]): string {
  const count = (is: (result: Result) => boolean): string => String(results.filter(is).length);
  const time = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);
  const total = results.reduce((sum, { took }) => sum + took, 0);
  const counts = [
    `tests="${String(results.length)}"`,
    `failures="${count(({ failures }) => failures.length > 0)}"`,
    `errors="${count(({ error }) => error !== undefined)}"`,
    `skipped="${count(({ skipped }) => skipped !== undefined)}"`,
    `time="${time(total)}"`,
  ].join(' ');
  const cases = results.map((result) => {
    const open = `    <testcase name="${escape(result.name)}" classname="${escape(result.path)}" time="${time(result.took)}"`;
    const inside = [...propertiesOf(result), ...endOf(result)];
    return inside.length === 0 ? `${open}/>` : [`${open}>`, ...inside, '    </testcase>'].join('\n');
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${escape(name)}" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function propertiesOf({ properties = {} }: Result): readonly string[] {
  const lines = Object.entries(properties).map(
    ([name, value]) => `        <property name="${escape(name)}" value="${escape(value)}"/>`,
  );
  return lines.length === 0 ? [] : ['      <properties>', ...lines, '      </properties>'];
}

function endOf({ failures, error, skipped }: Result): readonly string[] {
  if (error !== undefined) return [`      <error message="${escape(error)}"/>`];
  if (skipped !== undefined) return [`      <skipped message="${escape(skipped)}"/>`];
  const [first] = failures;
  if (first === undefined) return [];
  return [`      <failure message="${escape(first)}">${escape(failures.join('\n'))}</failure>`];
}

function escape(text: string): string {
  return (
    plainLines(text.toWellFormed())
      // XML 1.0 has no way to write these.
      .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\n', '&#10;')
  );
}

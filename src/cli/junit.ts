/** A JUnit report, as CI systems read it. */

export interface Result {
  readonly name: string;
  readonly path: string;
  /** milliseconds */
  readonly took: number;
  /** one sentence each; empty: as expected */
  readonly failures: readonly string[];
  readonly skipped?: string;
}

export function junitOf(name: string, results: readonly Result[]): string {
  const failed = results.filter(({ failures }) => failures.length > 0).length;
  const skipped = results.filter((result) => result.skipped !== undefined).length;
  const time = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);
  const total = results.reduce((sum, { took }) => sum + took, 0);
  const cases = results.map((result) => {
    const open = `    <testcase name="${escape(result.name)}" classname="${escape(result.path)}" time="${time(result.took)}"`;
    if (result.skipped !== undefined)
      return `${open}>\n      <skipped message="${escape(result.skipped)}"/>\n    </testcase>`;
    if (result.failures.length === 0) return `${open}/>`;
    const [first = ''] = result.failures;
    return `${open}>\n      <failure message="${escape(first)}">${escape(result.failures.join('\n'))}</failure>\n    </testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${escape(name)}" tests="${String(results.length)}" failures="${String(failed)}" skipped="${String(skipped)}" time="${time(total)}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function escape(text: string): string {
  return (
    text
      .toWellFormed()
      // XML 1.0 has no way to write these.
      .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\n', '&#10;')
  );
}

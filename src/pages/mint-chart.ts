/**
 * The sparkline of a template: the objects created of it in the last 30 days. The contract's statistics of executions have
 * no template.
 */
import * as l10n from '@vscode/l10n';
import { formatError, isCancelled } from '../model/text/error-message.ts';
import type { Session } from '../model/session/session.ts';
import { statisticsSeries } from '../platform/resources/statistics.ts';
import { pluralize } from '../platform/text/localization.ts';
import type { UnitSums } from '../statistics/amounts.ts';
import { sumPoints } from '../statistics/chart-lines.ts';
import { querySeries } from '../statistics/query-series.ts';
import type { PageState } from '../webviews/protocol/page.ts';
import { DEFAULT_CONTROLS } from '../webviews/protocol/statistics.ts';

const DAY = 86_400_000;
const DAYS = 30;
const series = statisticsSeries[2];

/** Reads the chart once; a failed refresh keeps it and adds why it failed. */
export class MintChart {
  readonly #template: string;
  readonly #signal: AbortSignal;
  readonly #onDidChange: () => void;
  #isRequested = false;
  /** of what was read last, in words */
  #total: string | undefined;
  state: PageState['chart'];

  constructor(template: string, signal: AbortSignal, onDidChange: () => void) {
    this.#template = template;
    this.#signal = signal;
    this.#onDidChange = onDidChange;
  }

  /** Whether the statistics can be filtered by resources of a kind. */
  static supports(kind: string): boolean {
    return series.operation.query.template_id.kind === kind;
  }

  /** Never rejects: a failure is part of the summary. */
  async load(session: Session, refresh: boolean): Promise<void> {
    if (this.#isRequested && !refresh) return;
    this.#isRequested = true;
    const label = l10n.t('Objects created, last 30 days');
    try {
      const now = Date.now();
      const { now: result } = await querySeries({
        client: session.client,
        series,
        controls: { ...DEFAULT_CONTROLS, compare: false, interval: 'day', template: this.#template },
        now,
        signal: AbortSignal.any([this.#signal, session.ended]),
        onRequest: () => undefined,
        maxRequests: 4,
      });
      const values = Array.from({ length: DAYS }, () => 0);
      const { all, notes } = sumPoints(result.points);
      for (const [when, sums] of all.times) {
        const day = DAYS - 1 - Math.floor((now - when) / DAY);
        if (day >= 0 && day < DAYS) values[day] = (values[day] ?? 0) + getCount(sums);
      }
      const total = values.reduce((sum, value) => sum + value, getCount(all.timeless));
      this.#total = joinTexts(pluralize(total, l10n.t('{0} object|{0} objects')), ...notes, result.truncated);
      this.state = { label, values, summary: this.#total };
    } catch (error) {
      if (isCancelled(error) || this.#signal.aborted) return;
      const summary = joinTexts(this.#total, formatError(l10n.t('Read statistics'), error));
      this.state = { label, values: this.state?.values ?? [], summary };
    }
    this.#onDidChange();
  }
}

/** Counts have no unit. */
function getCount(sums: UnitSums): number {
  return sums.get('')?.toNumber() ?? 0;
}

function joinTexts(...texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined).join(' · ');
}

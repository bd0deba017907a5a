/** Import Labels…: from a CSV file, or from the wallets that were registered in this window. */
import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '../../commands/context.ts';
import { getLabelProblem, getValueProblem, normalizeValue, type LabelEntries } from '../../model/text/labels.ts';
import { readTextFile } from '../../model/files/read-workspace-file.ts';
import { isObject } from '../../platform/json/json.ts';
import { maskText } from '../../platform/json/secrets.ts';
import { formatNumber, pluralize } from '../../platform/text/localization.ts';
import { toPlainText } from '../../platform/text/plain-text.ts';
import { getLabelStore } from './label-store.ts';
import { pickLabelSource } from './label-this.ts';
import { parseLabelsCsv } from './parse-labels-csv.ts';

const MAX_CSV_BYTES = 4 * 1024 * 1024;
const getTitle = (): string => l10n.t('Import Labels');

interface Import {
  readonly from: string;
  readonly labels: LabelEntries;
}

/**
 * Reads the labels of the given or a chosen file, or of registered wallets, and stores them after a confirmation.
 * Rejects with Error if the file cannot be read or the labels cannot be stored.
 */
export async function importLabels(services: Services, argument?: unknown): Promise<void> {
  const { ui } = services;
  const store = getLabelStore(services);
  const found = argument instanceof vscode.Uri ? await readCsv(argument) : await chooseImport(services);
  if (found === undefined) return;
  const { from, labels } = found;
  const secrets = services.knownSecrets();
  const safe = labels.entries.filter((entry) => entry.every((text) => maskText(text, secrets) === text));
  // Of several labels of one value the last one wins.
  const distinct = [...new Map(safe.map((entry) => [normalizeValue(entry[0]), entry])).values()];
  if (distinct.length === 0)
    throw new Error(l10n.t('{0} has no labels: it needs columns such as address and label', from));
  const source = await pickLabelSource(services, store, getTitle());
  if (source === undefined) return;
  const entries = distinct.filter(([, text]) => getLabelProblem(text, source) === undefined);
  const ignored = labels.ignored + labels.entries.length - safe.length + distinct.length - entries.length;
  if (entries.length === 0) throw new Error(l10n.t('Only your own labels can contain quotation marks or brackets'));
  const changed = entries.filter(([value, text]) => {
    const known = store.get(value);
    return known !== undefined && known.text !== text;
  });
  const agreed = await ui.confirm({
    message: pluralize(entries.length, l10n.t('Import {0} label from {1}?|Import {0} labels from {1}?'), from),
    detail: [
      changed.length === 0 ? '' : l10n.t('Labels that change: {0}.', formatNumber(changed.length)),
      ignored === 0
        ? ''
        : l10n.t('Rows ignored because they have no valid value or label: {0}.', formatNumber(ignored)),
    ]
      .filter((line) => line !== '')
      .join('\n'),
    confirmLabel: l10n.t('Import'),
  });
  if (agreed) await store.write(entries, source);
}

async function chooseImport(services: Services): Promise<Import | undefined> {
  const wallets = readRegisteredWallets(services);
  const chosen =
    wallets.entries.length === 0
      ? undefined
      : await services.ui.pick(
          [
            { label: l10n.t('CSV File…'), isFile: true },
            { label: l10n.t('Registered Wallets'), description: l10n.t('registered in this window'), isFile: false },
          ],
          { title: getTitle() },
        );
  if (chosen === undefined && wallets.entries.length > 0) return undefined;
  if (chosen?.isFile === false) return { from: l10n.t('the registered wallets'), labels: wallets };
  const [file] =
    (await vscode.window.showOpenDialog({
      title: getTitle(),
      filters: { CSV: ['csv', 'tsv', 'txt'] },
      openLabel: l10n.t('Import'),
    })) ?? [];
  return file === undefined ? undefined : readCsv(file);
}

async function readCsv(file: vscode.Uri): Promise<Import> {
  const from = toPlainText(path.basename(file.fsPath), 60);
  return { from, labels: parseLabelsCsv(await readTextFile(file.fsPath, MAX_CSV_BYTES, from)) };
}

/** The nicknames or domain names of wallets, for their addresses and ids. */
function readRegisteredWallets({ sessions }: Services): LabelEntries {
  const entries = sessions.all.flatMap(({ issuedResources }) =>
    [...issuedResources].flatMap(([key, { raw }]): [string, string][] => {
      if (!key.startsWith('wallets/') || !isObject(raw)) return [];
      const account = isObject(raw['account']) ? raw['account'] : {};
      const text = [raw['nickname'], raw['fqdn']].find((name) => typeof name === 'string' && name !== '');
      return [account['address'], raw['id']].flatMap((value): [string, string][] =>
        typeof value === 'string' && typeof text === 'string' ? [[value, text]] : [],
      );
    }),
  );
  const valid = entries.filter(
    ([value, text]) => getValueProblem(value) === undefined && getLabelProblem(text) === undefined,
  );
  return { entries: valid, ignored: entries.length - valid.length };
}

/** The status bar item of the active faults, which a click clears. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { pluralize } from '../../platform/text/localization.ts';
import { setSeverity } from '../status/status-bar-item.ts';
import type { FeatureContext } from '../../commands/context.ts';
import { formatFault } from './fault-texts.ts';
import { listSandboxes } from './running.ts';

let item: vscode.StatusBarItem | undefined;

/** Shows the active faults of all sandboxes; hides the item if there are none. */
export function showFaults(features: Pick<FeatureContext, 'addDisposable'>): void {
  const faults = listSandboxes().flatMap(([name, { status }]) => status.faults.map((fault) => ({ name, fault })));
  if (faults.length === 0) {
    item?.hide();
    return;
  }
  if (item === undefined) {
    item = vscode.window.createStatusBarItem('smartObjects.faults', vscode.StatusBarAlignment.Left, 39);
    item.name = l10n.t('Smart Objects Faults');
    item.command = 'smartObjects.clearFaults';
    features.addDisposable(item);
  }
  const count = pluralize(faults.length, l10n.t('{0} fault|{0} faults'));
  const lines = faults.map(({ name, fault }) => l10n.t('{0}: {1}', name, formatFault(fault, fault.left)));
  item.text = `$(bug) ${count}`;
  item.tooltip = [...lines, l10n.t('Click to clear all faults.')].join('\n');
  item.accessibilityInformation = { label: [count, ...lines, l10n.t('Clear faults')].join(', '), role: 'button' };
  setSeverity(item, 'warning');
  item.show();
}

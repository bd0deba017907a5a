import * as l10n from '@vscode/l10n';
import type { CommandId } from '../commands/ids.ts';
import type { ResourceFeature } from '../platform/resource.ts';
import { getDefinition } from '../platform/registry.ts';

/** A command that applies to resources of some kinds. */
interface ResourceCommand {
  readonly label: string;
  /** codicon */
  readonly icon: string;
  readonly command: Extract<
    CommandId,
    'previewFace' | 'previewAsset' | 'showObjectHistory' | 'showActionLogs' | 'newActionFileFrom'
  >;
}

const commands: Readonly<Record<ResourceFeature, ResourceCommand>> = {
  face: { label: l10n.t('Preview Face'), icon: 'open-preview', command: 'previewFace' },
  filePreview: {
    label: l10n.t({ message: 'Preview', args: [], comment: 'Button: previews the file of an asset' }),
    icon: 'open-preview',
    command: 'previewAsset',
  },
  history: { label: l10n.t('History'), icon: 'history', command: 'showObjectHistory' },
  actionLogs: { label: l10n.t('Action Logs'), icon: 'history', command: 'showActionLogs' },
  actionFile: { label: l10n.t('New Action File'), icon: 'new-file', command: 'newActionFileFrom' },
};

/** Returns the commands for resources of a kind, by the features that its definition lists. */
export function getResourceCommands(kind: string): readonly ResourceCommand[] {
  return (getDefinition(kind)?.features ?? []).map((feature) => commands[feature]);
}

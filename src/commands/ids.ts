/** All commands of the extension: ids with argument types. Every command also works without arguments. */
import type * as vscode from 'vscode';
import type { ResourceArgument, TreeArgument } from '../model/resources/resource-argument.ts';
import type { ViewState } from '../webviews/protocol/logs.ts';

export interface CommandArguments {
  // connections
  addConnection: [];
  editConnections: [];
  removeConnection: [connection?: string | TreeArgument];
  selectConnection: [connection?: string | TreeArgument];
  setActiveConnection: [connection?: string | TreeArgument];
  signIn: [connection?: string | TreeArgument | { readonly connection: string; readonly identity: string | undefined }];
  signInAs: [connection?: string | TreeArgument];
  selectIdentity: [connection?: string | TreeArgument];
  signOut: [connection?: string | TreeArgument];
  checkConnection: [connection?: string | TreeArgument];
  registerWallet: [connection?: string | TreeArgument];
  confirmInvite: [connection?: string | TreeArgument];
  addOrganization: [connection?: string | TreeArgument];
  renameOrganization: [organization?: TreeArgument];
  removeOrganization: [organization?: TreeArgument];
  showPermissions: [connection?: string | TreeArgument];
  startSandbox: [];
  /** a further sandbox; without an argument, asks for size, seed and port */
  startSandboxWith: [choice?: { readonly objects: number; readonly seed: number; readonly port?: number }];
  stopSandbox: [connection?: string | TreeArgument];
  /** adds a fault to a sandbox */
  faults: [connection?: string | TreeArgument];
  /** of all sandboxes */
  clearFaults: [];
  pauseSandbox: [connection?: string | TreeArgument];
  resumeSandbox: [connection?: string | TreeArgument];
  stepSandbox: [connection?: string | TreeArgument];
  settleSandbox: [connection?: string | TreeArgument];
  resetSandbox: [connection?: string | TreeArgument];
  saveSandboxState: [connection?: string | TreeArgument];
  loadSandboxState: [connection?: string | TreeArgument, file?: vscode.Uri];
  importIntoSandbox: [connection?: string | TreeArgument];
  showOutput: [];
  showAccessibilityHelp: [];
  /** an address, account name or id; without an argument, that at the cursor */
  labelThis: [value?: string | ResourceArgument | TreeArgument];
  /** a CSV file */
  importLabels: [file?: vscode.Uri];
  // explorer
  /** does what a click on a row does; without an argument, on the selected one */
  openRow: [node?: TreeArgument];
  refresh: [node?: TreeArgument];
  /** the button in the view title; VS Code passes the focused row, which is ignored */
  refreshAll: [node?: TreeArgument];
  filter: [node?: TreeArgument];
  clearFilter: [node?: TreeArgument];
  loadMore: [node?: TreeArgument];
  loadAll: [node?: TreeArgument];
  addFavorite: [node?: TreeArgument];
  removeFavorite: [node?: TreeArgument];
  searchResources: [node?: TreeArgument];
  filterByThis: [resource?: ResourceArgument | TreeArgument];
  exportCollection: [node?: TreeArgument];
  openTable: [node?: TreeArgument];
  /** reveals a resource in the tree, or opens its document if it has no row */
  reveal: [resource?: ResourceArgument & { readonly organization?: string }];
  // documents
  /** as the setting `openResources` says */
  openResource: [resource?: ResourceArgument | string | TreeArgument, keep?: boolean];
  openJson: [resource?: ResourceArgument | string | TreeArgument, beside?: boolean];
  /** `keep`: the next resource does not replace it */
  openPage: [resource?: ResourceArgument | string | TreeArgument, keep?: boolean];
  /** the page, in the next editor group */
  openToSide: [resource?: ResourceArgument | string | TreeArgument];
  copyId: [node?: TreeArgument | ResourceArgument, selected?: readonly TreeArgument[]];
  copyJson: [node?: TreeArgument | ResourceArgument, selected?: readonly TreeArgument[]];
  copyCurl: [node?: TreeArgument | ResourceArgument];
  openExternal: [node?: TreeArgument | ResourceArgument];
  compareResources: [node?: TreeArgument | ResourceArgument, selected?: readonly TreeArgument[]];
  generateTypes: [node?: TreeArgument | ResourceArgument];
  insertId: [node?: TreeArgument];
  /** reloads a resource document: the given or the active one */
  refreshDocument: [document?: vscode.Uri | ResourceArgument];
  // actions
  generateClient: [node?: TreeArgument | ResourceArgument, selected?: readonly TreeArgument[]];
  executeAction: [file?: vscode.Uri | TreeArgument, files?: readonly vscode.Uri[]];
  /** on the active connection, as an identity that the user picks */
  executeAs: [file?: vscode.Uri | TreeArgument, files?: readonly vscode.Uri[]];
  executeOn: [file?: vscode.Uri | TreeArgument, files?: readonly vscode.Uri[]];
  /** `connection`: default: the active one */
  checkAction: [file?: vscode.Uri, connection?: string];
  previewRequest: [file?: vscode.Uri];
  runWithData: [file?: vscode.Uri | TreeArgument, data?: vscode.Uri];
  /** rows of the tree, or `{ connection, kind, items: [{ id, raw }] }` */
  runOnSelection: [of?: TreeArgument, selected?: readonly TreeArgument[]];
  newActionFile: [];
  /** with the JSON of an earlier `state` of an object: an update back to it */
  newActionFileFrom: [source?: (ResourceArgument & { readonly state?: unknown }) | TreeArgument];
  /**
   * opens the form of a new action: for a resource, selected rows, a run, or `{ connection, kind, items: [{ id, raw }] }`, of a
   * kind such as `transfer`; or the form of an action file
   */
  newAction: [of?: ResourceArgument | TreeArgument | vscode.Uri, action?: string | readonly TreeArgument[]];
  transferObject: [of?: ResourceArgument | TreeArgument, selected?: readonly TreeArgument[]];
  redeemObject: [of?: ResourceArgument | TreeArgument, selected?: readonly TreeArgument[]];
  updateObject: [of?: ResourceArgument | TreeArgument, selected?: readonly TreeArgument[]];
  mintObject: [of?: ResourceArgument | TreeArgument, selected?: readonly TreeArgument[]];
  cancelRun: [run?: string | TreeArgument];
  /** searches for the action log of a run with unknown outcome */
  lookUpRun: [run?: string | TreeArgument];
  rerun: [run?: string | TreeArgument];
  compareRuns: [run?: string | TreeArgument];
  /** id of the run to reveal */
  showRuns: [run?: string];
  copyRunner: [file?: vscode.Uri];
  copyRunCurl: [run?: string | TreeArgument];
  removeRun: [run?: string | TreeArgument];
  /** what a click on the selected row of the Runs view does */
  openRunRow: [];
  openRunDiff: [run?: string | TreeArgument, object?: number];
  manageVariables: [];
  openRunTransaction: [run?: string | TreeArgument];
  // logs
  showActionLogs: [of?: ResourceArgument | TreeArgument | ViewState];
  showObjectHistory: [of?: ResourceArgument | vscode.Uri | TreeArgument];
  showFailures: [of?: string | TreeArgument];
  /** the buttons in the title of the panel's view */
  filterLogs: [];
  findInLogs: [];
  pauseLogs: [];
  resumeLogs: [];
  refreshLogs: [];
  expandLogs: [];
  collapseLogs: [];
  exportLogs: [];
  openLogsInEditor: [];
  copyLink: [];
  // watches
  /** a resource, or a list of the tree */
  watch: [of?: ResourceArgument | vscode.Uri | TreeArgument];
  /** rows of the Watches view */
  openWatch: [watch?: TreeArgument];
  showWatchChanges: [watchOrChange?: TreeArgument];
  pauseWatch: [watch?: TreeArgument];
  resumeWatch: [watch?: TreeArgument];
  removeWatch: [watch?: TreeArgument];
  // environments
  compareEnvironments: [connection?: string | TreeArgument];
  /** a row of a comparison in the Source Control view */
  matchResource: [row?: vscode.SourceControlResourceState];
  editMapping: [];
  selectMapping: [file?: vscode.Uri];
  closeComparison: [];
  /** a row of an organization, or the source control of a pulled folder */
  pullFolder: [organization?: TreeArgument | vscode.SourceControl];
  checkPulledFolder: [organization?: TreeArgument | vscode.SourceControl];
  /** files, or their rows in the Source Control view; without an argument, the active file */
  openPulledChange: [file?: vscode.Uri | vscode.SourceControlResourceState];
  usePlatformVersion: [...files: (vscode.Uri | vscode.SourceControlResourceState)[]];
  keepLocalVersion: [...files: (vscode.Uri | vscode.SourceControlResourceState)[]];
  copyForConsole: [file?: vscode.Uri | vscode.SourceControlResourceState];
  // faces and statistics
  previewFace: [of?: ResourceArgument | vscode.Uri | TreeArgument | 'newest'];
  previewAsset: [of?: ResourceArgument | vscode.Uri | TreeArgument];
  openFaceLab: [of?: vscode.Uri | TreeArgument];
  showStatistics: [connection?: string | TreeArgument];
}

export type CommandId = keyof CommandArguments;

/** Commands that read again what is shown: they open no dialog, and failures are shown in place. */
export const REFRESH_COMMANDS: ReadonlySet<CommandId> = new Set([
  'refresh',
  'refreshAll',
  'refreshDocument',
  'loadMore',
] satisfies CommandId[]);

/** Commands that act on the resource of the active page if they get no argument. */
export const PAGE_COMMANDS: ReadonlySet<CommandId> = new Set([
  'previewFace',
  'openFaceLab',
  'showObjectHistory',
  'newActionFileFrom',
  'labelThis',
] satisfies CommandId[]);

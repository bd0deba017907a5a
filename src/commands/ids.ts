/** The closed list of our commands: each id with the arguments it takes. Every command also works without them. */
import type * as vscode from 'vscode';

/** What tree rows, links and other commands hand over to name a resource. */
export interface ResourceArgument {
  readonly connection: string;
  readonly kind: string;
  /** one segment; for roles `organization/role` */
  readonly id: string;
  /** whose JSON it was met in: an embedded asset may be known there alone */
  readonly of?: { readonly kind: string; readonly id: string };
}

/** A tree row as VS Code hands it to a command; the explorer knows what it is. */
export type TreeArgument = object;

export interface CommandArguments {
  // connections
  addConnection: [];
  editConnections: [];
  removeConnection: [connection?: string | TreeArgument];
  selectConnection: [connection?: string];
  signIn: [connection?: string | TreeArgument];
  signOut: [connection?: string | TreeArgument];
  checkConnection: [connection?: string | TreeArgument];
  registerWallet: [connection?: string | TreeArgument];
  confirmInvite: [connection?: string | TreeArgument];
  addOrganization: [connection?: string | TreeArgument];
  showPermissions: [connection?: string | TreeArgument];
  startSandbox: [];
  stopSandbox: [];
  showOutput: [];
  // explorer
  refresh: [node?: TreeArgument];
  /** the button of the view's title, to which VS Code hands the focused row, whatever it is */
  refreshAll: [node?: TreeArgument];
  filter: [node?: TreeArgument];
  clearFilter: [node?: TreeArgument];
  loadMore: [node?: TreeArgument];
  loadAll: [node?: TreeArgument];
  addFavorite: [node?: TreeArgument];
  removeFavorite: [node?: TreeArgument];
  searchResources: [];
  exportCollection: [node?: TreeArgument];
  openTable: [node?: TreeArgument];
  /** shows the row of a resource in the tree, or its document where there is none */
  reveal: [resource?: ResourceArgument & { readonly organization?: string }];
  // documents
  openResource: [resource?: ResourceArgument | string | TreeArgument];
  copyId: [node?: TreeArgument | ResourceArgument, selected?: readonly TreeArgument[]];
  copyJson: [node?: TreeArgument | ResourceArgument, selected?: readonly TreeArgument[]];
  copyCurl: [node?: TreeArgument | ResourceArgument];
  openExternal: [node?: TreeArgument | ResourceArgument];
  compareResources: [node?: TreeArgument | ResourceArgument, selected?: readonly TreeArgument[]];
  generateTypes: [node?: TreeArgument | ResourceArgument];
  insertId: [node?: TreeArgument];
  /** reads the resource of a document again: the one given, or the one in front */
  refreshDocument: [document?: vscode.Uri | ResourceArgument];
  // actions
  executeAction: [file?: vscode.Uri | TreeArgument, files?: readonly vscode.Uri[]];
  executeOn: [file?: vscode.Uri | TreeArgument, files?: readonly vscode.Uri[]];
  checkAction: [file?: vscode.Uri];
  newActionFile: [];
  newActionFileFrom: [source?: ResourceArgument | TreeArgument];
  cancelRun: [run?: string | TreeArgument];
  /** looks for the action log of a run whose outcome is not known */
  lookUpRun: [run?: string | TreeArgument];
  rerun: [run?: string | TreeArgument];
  compareRuns: [run?: string | TreeArgument];
  /** a run's id to show */
  showRuns: [run?: string];
  copyRunner: [file?: vscode.Uri];
  copyRunCurl: [run?: string | TreeArgument];
  removeRun: [run?: string | TreeArgument];
  openRunDiff: [run?: string | TreeArgument, object?: number];
  manageVariables: [];
  openRunTransaction: [run?: string | TreeArgument];
  // logs
  showActionLogs: [of?: ResourceArgument | TreeArgument];
  showObjectHistory: [of?: ResourceArgument | vscode.Uri | TreeArgument];
  showFailures: [];
  copyLink: [];
  // faces and statistics
  previewFace: [of?: ResourceArgument | vscode.Uri | TreeArgument];
  previewAsset: [of?: ResourceArgument | vscode.Uri | TreeArgument];
  openFaceLab: [of?: vscode.Uri | TreeArgument];
  showStatistics: [connection?: string | TreeArgument];
}

export type CommandId = keyof CommandArguments;

/** Names a resource to a command: what tree rows, links and other commands pass. */
export interface ResourceArgument {
  readonly connection: string;
  readonly kind: string;
  /** one segment; for roles `organization/role` */
  readonly id: string;
  /** the resource whose JSON contains it: an embedded asset may be known from there only */
  readonly container?: { readonly kind: string; readonly id: string };
}

/** A tree row as VS Code passes it to a command; only the explorer reads it. */
export type TreeArgument = object;

/** Whether both name the same resource of the same connection. */
export function isSameResource(one: ResourceArgument, other: ResourceArgument): boolean {
  return one.connection === other.connection && one.kind === other.kind && one.id === other.id;
}

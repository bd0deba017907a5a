/** The nodes of a parsed Go template, and its errors. */

/** The phase of an error: `parse`, `escape` and `execute` as in Go; `limit` if a bound of ours is exceeded. */
export type Phase = 'parse' | 'escape' | 'execute' | 'limit';

/** Thrown within `fillTemplate`, which catches it. */
export class TemplateError extends Error {
  readonly phase: Phase;
  /** offset into the source; -1 if the catcher knows the position */
  readonly at: number;
  constructor(phase: Phase, message: string, at = -1) {
    super(message);
    this.phase = phase;
    this.at = at;
  }
}

export type Expression =
  | { readonly kind: 'dot' }
  | { readonly kind: 'nil' }
  /** bigint: Go's int; number: float64 */
  | { readonly kind: 'literal'; readonly value: string | boolean | number | bigint }
  | { readonly kind: 'field'; readonly names: readonly string[] }
  | { readonly kind: 'variable'; readonly name: string; readonly names: readonly string[] }
  | { readonly kind: 'function'; readonly name: string }
  | { readonly kind: 'pipe'; readonly pipe: Pipe }
  | { readonly kind: 'chain'; readonly of: Expression; readonly names: readonly string[] };

export interface Command {
  readonly args: readonly [Expression, ...Expression[]];
  readonly at: number;
}

export interface Pipe {
  /** `$x` of `$x := …`, two of them in a range */
  readonly variables: readonly string[];
  /** `=` instead of `:=` */
  readonly assigns: boolean;
  readonly commands: readonly Command[];
}

/** The source range of a `{{…}}`. */
export interface Span {
  readonly at: number;
  readonly end: number;
}

export type TemplateNode =
  | (Span & { readonly kind: 'text'; readonly text: string })
  | (Span & { readonly kind: 'action'; readonly pipe: Pipe })
  | (Span & {
      readonly kind: 'if' | 'with' | 'range';
      readonly pipe: Pipe;
      readonly then: readonly TemplateNode[];
      readonly otherwise: readonly TemplateNode[];
    })
  | (Span & { readonly kind: 'template'; readonly name: string; readonly pipe: Pipe | undefined })
  | (Span & { readonly kind: 'break' | 'continue' });

export type BranchNode = Extract<TemplateNode, { kind: 'if' | 'with' | 'range' }>;

/** The name of the face itself, which no definition has. */
export const MAIN_TEMPLATE = '\0face';

/** Templates by name. */
export type TemplateSet = ReadonlyMap<string, readonly TemplateNode[]>;

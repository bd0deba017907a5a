/** Computes the context of each action of a template, and the escapers it needs. */
import * as l10n from '@vscode/l10n';
import {
  isComment,
  joinContexts,
  getContextKey,
  getActionContext,
  isSameContext,
  START_CONTEXT,
  type Context,
} from './context.ts';
import type { EscaperName } from './escapers.ts';
import {
  MAIN_TEMPLATE,
  TemplateError,
  type BranchNode,
  type Command,
  type Pipe,
  type Span,
  type TemplateNode,
  type TemplateSet,
} from '../nodes.ts';
import { TextWalker } from './transition.ts';
import type { Budget, Steps } from '../values.ts';

/** A template that is ready to execute: each action with its escapers, each call with its instance. */
export type EscapedNode =
  | (Span & { readonly kind: 'text'; readonly text: string })
  | (Span & { readonly kind: 'action'; readonly pipe: Pipe; readonly escapers: readonly EscaperName[] })
  | (Span & {
      readonly kind: BranchNode['kind'];
      readonly pipe: Pipe;
      readonly then: readonly EscapedNode[];
      readonly otherwise: readonly EscapedNode[];
    })
  | (Span & { readonly kind: 'template'; readonly pipe: Pipe | undefined; readonly instance: string })
  | (Span & { readonly kind: 'break' | 'continue' });

export interface Program {
  readonly main: readonly EscapedNode[];
  /** bodies by instance: a template has one instance for each context */
  readonly instances: ReadonlyMap<string, readonly EscapedNode[]>;
}

const MAX_INSTANCES = 1000;
const MAX_CALLS = 100;

/** Escapes a template, in steps. Throws TemplateError of phase `escape` or `limit`. */
export function escapeTemplates(set: TemplateSet, budget: Budget): Steps<Program> {
  return new TemplateEscaper(set, budget).run();
}

interface Instance {
  /** the end context that calls assume while the body is escaped */
  end: Context;
  body: readonly EscapedNode[];
  reading: boolean;
  called: boolean;
}

type Result = readonly [Context, readonly EscapedNode[]];

class TemplateEscaper {
  readonly #set: TemplateSet;
  readonly #budget: Budget;
  readonly #instances = new Map<string, Instance>();
  #depth = 0;
  /** contexts at {{break}} and {{continue}} of the enclosing ranges */
  #jumps: Context[][] = [];

  constructor(set: TemplateSet, budget: Budget) {
    this.#set = set;
    this.#budget = budget;
  }

  *run(): Steps<Program> {
    const nodes = this.#set.get(MAIN_TEMPLATE) ?? [];
    const [end, main] = yield* this.#list(START_CONTEXT, nodes);
    if (end.state !== 'text') {
      const last = nodes.at(-1);
      throw new TemplateError('escape', `ends in a non-text context: ${end.state}`, last?.at ?? 0);
    }
    return { main, instances: new Map([...this.#instances].map(([key, { body }]) => [key, body])) };
  }

  *#list(start: Context, nodes: readonly TemplateNode[]): Steps<Result> {
    let context = start;
    const ready: EscapedNode[] = [];
    for (const node of nodes) {
      this.#budget.spend(1);
      if (this.#budget.isStepDone()) yield;
      try {
        const [next, escaped] = yield* this.#node(context, node);
        context = next;
        ready.push(escaped);
      } catch (error) {
        // Errors of the text have no position of their own.
        if (error instanceof TemplateError && error.at < 0)
          throw new TemplateError(error.phase, error.message, node.at);
        throw error;
      }
    }
    return [context, ready];
  }

  *#node(context: Context, node: TemplateNode): Steps<readonly [Context, EscapedNode]> {
    switch (node.kind) {
      case 'text': {
        const [next, text] = yield* escapeText(context, node.text, this.#budget);
        return [next, { ...node, text }];
      }
      case 'action':
        return escapeAction(context, node);
      case 'if':
      case 'with':
      case 'range':
        return yield* this.#branch(context, node);
      case 'template':
        return yield* this.#call(context, node);
      case 'break':
      case 'continue':
        this.#jumps.at(-1)?.push(context);
        return [{ ...START_CONTEXT, state: 'dead' }, node];
    }
  }

  *#branch(context: Context, node: BranchNode): Steps<readonly [Context, EscapedNode]> {
    const jumps: Context[] = [];
    if (node.kind === 'range') this.#jumps.push(jumps);
    const [first, then] = yield* this.#list(context, node.then);
    let end = first;
    if (node.kind === 'range') {
      end = this.#joinJumps(end, jumps, node);
      if (!isSameContext(end, context)) {
        // The next iteration starts where the body ended: its context must be the same.
        const [again] = yield* this.#list(end, node.then);
        end = joinContexts(end, this.#joinJumps(again, jumps, node), 'range', node.at);
      }
      this.#jumps.pop();
    }
    const [other, otherwise] = yield* this.#list(context, node.otherwise);
    return [joinContexts(end, other, node.kind, node.at), { ...node, then, otherwise }];
  }

  #joinJumps(end: Context, jumps: readonly Context[], { at }: Span): Context {
    return jumps.reduce((joined, jump) => joinContexts(joined, jump, 'range', at), end);
  }

  *#call(context: Context, node: Extract<TemplateNode, { kind: 'template' }>): Steps<readonly [Context, EscapedNode]> {
    const body = this.#set.get(node.name);
    if (body === undefined) throw new TemplateError('escape', `no such template "${node.name}"`, node.at);
    const key = `${getContextKey(context)} ${node.name}`;
    let known = this.#instances.get(key);
    if (known === undefined) {
      if (this.#instances.size >= MAX_INSTANCES || this.#depth >= MAX_CALLS)
        throw new TemplateError('limit', l10n.t('The template has too many template calls'), node.at);
      known = yield* this.#readInstance(key, context, context, body, node.at);
    } else if (known.reading) {
      known.called = true;
    }
    const { kind, pipe, at, end } = node;
    return [known.end, { kind, pipe, at, end, instance: key }];
  }

  /** A recursive template is escaped with an assumed end context, and again if that was wrong. */
  *#readInstance(
    key: string,
    start: Context,
    assumedEnd: Context,
    body: readonly TemplateNode[],
    at: number,
    isRetry = false,
  ): Steps<Instance> {
    const previousKeys = new Set(this.#instances.keys());
    const instance: Instance = { end: assumedEnd, body: [], reading: true, called: false };
    this.#instances.set(key, instance);
    this.#depth++;
    const jumps = this.#jumps;
    this.#jumps = [];
    const [end, ready] = yield* this.#list(start, body);
    this.#jumps = jumps;
    this.#depth--;
    if (instance.called && !isSameContext(end, assumedEnd)) {
      if (isRetry) throw new TemplateError('escape', 'cannot compute output context for template', at);
      for (const later of [...this.#instances.keys()]) if (!previousKeys.has(later)) this.#instances.delete(later);
      return yield* this.#readInstance(key, start, end, body, at, true);
    }
    instance.end = end;
    instance.body = ready;
    instance.reading = false;
    return instance;
  }
}

/** Returns the text without comments and with stray `<` escaped, and the context after it. */
function* escapeText(start: Context, text: string, budget: Budget): Steps<readonly [Context, string]> {
  const walk = new TextWalker(text);
  let context = start;
  let out = '';
  let written = 0;
  for (let at = 0; at < text.length;) {
    budget.spend(2);
    if (budget.isStepDone()) yield;
    const [next, read] = walk.readStep(context, at);
    const to = at + read;
    if (read === 0 && isSameContext(next, context))
      throw new TemplateError('escape', l10n.t('The context of the action could not be determined'));
    if (context.state === 'text' || context.state === 'rcdata') {
      // The last `<` before a tag belongs to the tag.
      const last = next.state === context.state ? to : Math.max(text.lastIndexOf('<', to - 1), at);
      const part = text.slice(at, last);
      const escapedPart = part.replace(/<(?!!doctype)/gi, '&lt;');
      if (escapedPart !== part) {
        out += text.slice(written, at) + escapedPart;
        written = last;
      }
    } else if (isComment(context) && context.delimiter === 'none') {
      const comment = text.slice(written, to);
      if (context.state === 'jsBlockComment') out += /[\n\r\u2028\u2029]/.test(comment) ? '\n' : ' ';
      if (context.state === 'cssBlockComment') out += ' ';
      written = to;
    }
    if (context.state !== next.state && isComment(next) && next.delimiter === 'none') {
      out += text.slice(written, Math.max(written, to - (next.state === 'htmlComment' ? 4 : 2)));
      written = to;
    }
    context = next;
    at = to;
  }
  // As in Go: a comment that ends where the text begins leaves no space.
  if (written === 0) return [context, text];
  if (!isComment(context) || context.delimiter !== 'none') out += text.slice(written);
  return [context, out];
}

type Action = Extract<TemplateNode, { kind: 'action' }>;

function escapeAction(actionContext: Context, node: Action): readonly [Context, EscapedNode] {
  if (node.pipe.variables.length > 0) return [actionContext, { ...node, escapers: [] }];
  const context = getActionContext(actionContext);
  const last = node.pipe.commands.length - 1;
  node.pipe.commands.forEach(({ args: [first] }, index) => {
    const name = first.kind === 'function' ? first.name : '';
    if (name !== 'html' && name !== 'urlquery') return;
    const unquoted = context.state === 'attr' && context.delimiter === 'space' && name === 'html';
    if (index < last || unquoted)
      throw new TemplateError('escape', `predefined escaper "${name}" disallowed in template`, node.at);
  });
  const [next, escapers] = getEscapers(context, node);
  return [next, mergePredefinedEscaper(node, escapers)];
}

function getEscapers(context: Context, { at }: Action): readonly [Context, readonly EscaperName[]] {
  const names: EscaperName[] = [];
  let next = context;
  switch (context.state) {
    case 'url':
    case 'cssDouble':
    case 'cssSingle':
    case 'cssDoubleUrl':
    case 'cssSingleUrl':
    case 'cssUrl': {
      if (context.url === 'unknown')
        throw new TemplateError('escape', 'the action appears in an ambiguous context within a URL', at);
      const string = context.state === 'cssDouble' || context.state === 'cssSingle';
      if (context.url === 'none') names.push('urlFilter');
      names.push(context.url === 'query' ? 'urlPart' : string ? 'cssString' : 'urlNormal');
      break;
    }
    case 'js':
      names.push('jsValue');
      next = { ...context, slash: 'division' };
      break;
    case 'jsDouble':
    case 'jsSingle':
      names.push('jsString');
      break;
    case 'jsTemplate':
      throw new TemplateError('escape', 'the action appears in a JS template literal', at);
    case 'jsRegexp':
      names.push('jsRegexp');
      break;
    case 'css':
      names.push('cssValue');
      break;
    case 'text':
    case 'rcdata':
      names.push('htmlText');
      break;
    case 'attrName':
      names.push('attributeName');
      break;
    case 'srcset':
      names.push('srcset');
      break;
    case 'attr':
    case 'dead':
      break;
    default:
      names.push('comment');
  }
  if (context.delimiter === 'space') names.push('unquoted');
  else if (context.delimiter !== 'none') names.push('attribute');
  return [next, names];
}

const EQUIVALENT_ESCAPERS: Readonly<Record<'html' | 'urlquery', readonly EscaperName[]>> = {
  html: ['attribute', 'htmlText'],
  urlquery: ['urlPart', 'urlNormal'],
};

/** Where a pipeline of the template ends in `html` or `urlquery`, that replaces our escaper of the same purpose. */
function mergePredefinedEscaper(node: Action, escapers: readonly EscaperName[]): EscapedNode {
  const { commands } = node.pipe;
  const final = commands.at(-1);
  const [first, ...rest] = final?.args ?? [];
  const name = first?.kind === 'function' ? first.name : '';
  if (final === undefined || (name !== 'html' && name !== 'urlquery')) return { ...node, escapers };
  const merged = escapers.map((escaper) => (EQUIVALENT_ESCAPERS[name].includes(escaper) ? name : escaper));
  const isMerged = merged.includes(name);
  // If it is merged, Go drops the arguments that it has besides a piped value.
  if (commands.length > 1 && !isMerged) return { ...node, escapers };
  const precedingCommands: readonly Command[] =
    commands.length === 1 && rest.length > 0
      ? // What it was called with is evaluated first, and escaped when its turn comes.
        [{ args: [{ kind: 'function', name: JOIN_FUNCTION }, ...rest], at: final.at }]
      : commands.slice(0, -1);
  return {
    ...node,
    pipe: { ...node.pipe, commands: precedingCommands },
    escapers: isMerged ? merged : [name, ...merged],
  };
}

/** Not callable by name: prints all arguments as one. */
export const JOIN_FUNCTION = ' joined';

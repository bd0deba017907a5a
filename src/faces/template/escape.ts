/** Works out in which context each action of a template stands, and which escapers go behind it. */
import { isComment, join, keyOf, nudged, same, START, type Context } from './context.ts';
import type { EscaperName } from './escapers.ts';
import {
  TemplateProblem,
  type BranchNode,
  type Command,
  type Pipe,
  type Span,
  type TemplateNode,
  type TemplateSet,
} from './nodes.ts';
import { Walk } from './transition.ts';
import type { Budget } from './values.ts';

/** A template that is ready to run: each action with its escapers, each call with the instance it runs. */
export type Ready =
  | (Span & { readonly kind: 'text'; readonly text: string })
  | (Span & { readonly kind: 'action'; readonly pipe: Pipe; readonly escapers: readonly EscaperName[] })
  | (Span & {
      readonly kind: BranchNode['kind'];
      readonly pipe: Pipe;
      readonly then: readonly Ready[];
      readonly otherwise: readonly Ready[];
    })
  | (Span & { readonly kind: 'template'; readonly pipe: Pipe | undefined; readonly instance: string })
  | (Span & { readonly kind: 'break' | 'continue' });

export interface Program {
  readonly main: readonly Ready[];
  /** bodies by instance: the same template is another one in another context */
  readonly instances: ReadonlyMap<string, readonly Ready[]>;
}

const MAX_INSTANCES = 1000;
const MAX_CALLS = 100;

/** Throws TemplateProblem of phase `escape` or `limit`. */
export function escapeTemplates(set: TemplateSet, budget: Budget): Program {
  return new Escaper(set, budget).run();
}

interface Instance {
  /** while the body is being read: what a call within it takes for granted */
  out: Context;
  body: readonly Ready[];
  reading: boolean;
  called: boolean;
}

type Result = readonly [Context, readonly Ready[]];

class Escaper {
  readonly #set: TemplateSet;
  readonly #budget: Budget;
  readonly #instances = new Map<string, Instance>();
  #depth = 0;
  /** contexts at the {{break}} and {{continue}} of the ranges around */
  #jumps: Context[][] = [];

  constructor(set: TemplateSet, budget: Budget) {
    this.#set = set;
    this.#budget = budget;
  }

  run(): Program {
    const nodes = this.#set.get('') ?? [];
    const [end, main] = this.#list(START, nodes);
    if (end.state !== 'text') {
      const last = nodes.at(-1);
      throw new TemplateProblem('escape', `ends in a non-text context: ${end.state}`, last?.at ?? 0);
    }
    return { main, instances: new Map([...this.#instances].map(([key, { body }]) => [key, body])) };
  }

  #list(start: Context, nodes: readonly TemplateNode[]): Result {
    let context = start;
    const ready: Ready[] = [];
    for (const node of nodes) {
      this.#budget.spend(1);
      const [next, made] = placed(node, () => this.#node(context, node));
      context = next;
      ready.push(made);
    }
    return [context, ready];
  }

  #node(context: Context, node: TemplateNode): readonly [Context, Ready] {
    switch (node.kind) {
      case 'text': {
        const [next, text] = escapeText(context, node.text, this.#budget);
        return [next, { ...node, text }];
      }
      case 'action':
        return escapeAction(context, node);
      case 'if':
      case 'with':
      case 'range':
        return this.#branch(context, node);
      case 'template':
        return this.#call(context, node);
      case 'break':
      case 'continue':
        this.#jumps.at(-1)?.push(context);
        return [{ ...START, state: 'dead' }, node];
    }
  }

  #branch(context: Context, node: BranchNode): readonly [Context, Ready] {
    const jumps: Context[] = [];
    if (node.kind === 'range') this.#jumps.push(jumps);
    const [first, then] = this.#list(context, node.then);
    let end = first;
    if (node.kind === 'range') {
      end = this.#joined(end, jumps, node);
      if (!same(end, context)) {
        // The body runs again from where it ended: that must change nothing.
        const [again] = this.#list(end, node.then);
        end = join(end, this.#joined(again, jumps, node), 'range', node.at);
      }
      this.#jumps.pop();
    }
    const [other, otherwise] = this.#list(context, node.otherwise);
    return [join(end, other, node.kind, node.at), { ...node, then, otherwise }];
  }

  #joined(end: Context, jumps: readonly Context[], { at }: Span): Context {
    return jumps.reduce((joined, jump) => join(joined, jump, 'range', at), end);
  }

  #call(context: Context, node: Extract<TemplateNode, { kind: 'template' }>): readonly [Context, Ready] {
    const body = this.#set.get(node.name);
    if (body === undefined) throw new TemplateProblem('escape', `no such template "${node.name}"`, node.at);
    const key = `${keyOf(context)} ${node.name}`;
    let known = this.#instances.get(key);
    if (known === undefined) {
      if (this.#instances.size >= MAX_INSTANCES || this.#depth >= MAX_CALLS)
        throw new TemplateProblem('limit', 'too many templates that call templates', node.at);
      known = this.#read(key, context, context, body, node.at);
    } else if (known.reading) {
      known.called = true;
    }
    const { kind, pipe, at, end } = node;
    return [known.out, { kind, pipe, at, end, instance: key }];
  }

  /** A template that calls itself is read on trust in its end, and once more when that was misplaced. */
  #read(
    key: string,
    start: Context,
    guess: Context,
    body: readonly TemplateNode[],
    at: number,
    again = false,
  ): Instance {
    const before = new Set(this.#instances.keys());
    const instance: Instance = { out: guess, body: [], reading: true, called: false };
    this.#instances.set(key, instance);
    this.#depth++;
    const jumps = this.#jumps;
    this.#jumps = [];
    const [end, ready] = this.#list(start, body);
    this.#jumps = jumps;
    this.#depth--;
    if (instance.called && !same(end, guess)) {
      if (again) throw new TemplateProblem('escape', 'cannot tell in which context a template ends', at);
      for (const later of [...this.#instances.keys()]) if (!before.has(later)) this.#instances.delete(later);
      return this.#read(key, start, end, body, at, true);
    }
    Object.assign(instance, { out: end, body: ready, reading: false });
    return instance;
  }
}

/** Problems of the text know no place of their own. */
function placed<T>(node: Span, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof TemplateProblem && error.at < 0)
      throw new TemplateProblem(error.phase, error.message, node.at);
    throw error;
  }
}

/** The text without comments and with stray `<` written out, and the context behind it. */
function escapeText(start: Context, text: string, budget: Budget): readonly [Context, string] {
  const walk = new Walk(text);
  let context = start;
  let out = '';
  let written = 0;
  for (let at = 0; at < text.length;) {
    budget.spend(1);
    const [next, read] = walk.step(context, at);
    const to = at + read;
    if (read === 0 && same(next, context)) throw new TemplateProblem('escape', 'the page cannot be followed here');
    if (context.state === 'text' || context.state === 'rcdata') {
      // The last `<` before a tag is the tag's own.
      const last = next.state === context.state ? to : Math.max(text.lastIndexOf('<', to - 1), at);
      const bare = text.slice(at, last).replace(/<(?!!doctype)/gi, '&lt;');
      out += text.slice(written, at) + bare;
      written = last;
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
  if (!isComment(context) || context.delimiter !== 'none') out += text.slice(written);
  return [context, out];
}

type Action = Extract<TemplateNode, { kind: 'action' }>;

function escapeAction(before: Context, node: Action): readonly [Context, Ready] {
  if (node.pipe.variables.length > 0) return [before, { ...node, escapers: [] }];
  const context = nudged(before);
  const last = node.pipe.commands.length - 1;
  node.pipe.commands.forEach(({ args: [first] }, index) => {
    const name = first.kind === 'function' ? first.name : '';
    if (name !== 'html' && name !== 'urlquery') return;
    const unquoted = context.state === 'attr' && context.delimiter === 'space' && name === 'html';
    if (index < last || unquoted)
      throw new TemplateProblem('escape', `predefined escaper "${name}" disallowed in template`, node.at);
  });
  const [next, escapers] = escapersFor(context, node);
  return [next, withPredefined(node, escapers)];
}

function escapersFor(context: Context, { at }: Action): readonly [Context, readonly EscaperName[]] {
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
        throw new TemplateProblem('escape', 'the action appears in an ambiguous context within a URL', at);
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
      throw new TemplateProblem('escape', 'an action within a JavaScript template literal', at);
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

const ALIKE: Readonly<Record<'html' | 'urlquery', readonly EscaperName[]>> = {
  html: ['attribute', 'htmlText'],
  urlquery: ['urlPart', 'urlNormal'],
};

/** Where a template ends its pipeline in `html` or `urlquery`, that one stands in for ours of the same purpose. */
function withPredefined(node: Action, escapers: readonly EscaperName[]): Ready {
  const { commands } = node.pipe;
  const final = commands.at(-1);
  const [first, ...rest] = final?.args ?? [];
  const name = first?.kind === 'function' ? first.name : '';
  if (final === undefined || (name !== 'html' && name !== 'urlquery')) return { ...node, escapers };
  const dup = escapers.some((escaper) => ALIKE[name].includes(escaper));
  const merged = escapers.map((escaper) => (ALIKE[name].includes(escaper) ? name : escaper));
  const before: readonly Command[] =
    commands.length === 1 && rest.length > 0
      ? // What it was called with is evaluated first, and escaped where its turn comes.
        [{ args: [{ kind: 'function', name: JOINED }, ...rest], at: final.at }]
      : commands.slice(0, -1);
  return { ...node, pipe: { ...node.pipe, commands: before }, escapers: dup ? merged : [name, ...merged] };
}

/** No template can name it: prints all arguments as one. */
export const JOINED = ' joined';

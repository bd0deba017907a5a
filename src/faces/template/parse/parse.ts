/** Parses a Go template into nodes, with Go's checks of names, variables and nesting. */
import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../../platform/text/localization.ts';
import { isFunctionName } from '../functions/functions.ts';
import { lex, type Token, type TokenType } from './lex.ts';
import { parseChar, parseNumber, parseString } from './literals.ts';
import {
  MAIN_TEMPLATE,
  TemplateError,
  type BranchNode,
  type Command,
  type Expression,
  type Pipe,
  type TemplateNode,
  type TemplateSet,
} from '../nodes.ts';

/** Maximum nesting of lists and parentheses. */
const MAX_NESTING = 200;

/** Maximum number of variables in scope: each use of a variable looks it up among them. */
const MAX_VARIABLES = 1000;

/** Parses a template. Throws TemplateError of phase `parse` or `limit`. */
export function parse(source: string): TemplateSet {
  return new Parser(lex(source)).run();
}

/** The keyword that ended a list of nodes. */
interface Closing {
  readonly word: 'end' | 'else' | 'eof';
  readonly at: number;
  readonly end: number;
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #set = new Map<string, readonly TemplateNode[]>();
  #next = 0;
  #depth = 0;
  #ranges = 0;
  /** names in scope, innermost last */
  #scope: string[] = ['$'];

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  run(): TemplateSet {
    const { nodes, closing } = this.#list(true);
    if (closing.word !== 'eof') throw this.#unexpected(`{{${closing.word}}}`, closing.at);
    this.#define(MAIN_TEMPLATE, nodes, 0);
    return this.#set;
  }

  // -- tokens

  #peek(): Token {
    const token = this.#tokens[Math.min(this.#next, this.#tokens.length - 1)];
    if (token === undefined) throw new TemplateError('parse', 'unexpected EOF', 0);
    return token;
  }
  #take(): Token {
    const token = this.#peek();
    this.#next++;
    return token;
  }
  #takeIf(type: TokenType, text?: string): Token | undefined {
    const token = this.#peek();
    return token.type === type && (text === undefined || token.text === text) ? this.#take() : undefined;
  }
  #skipSpace(): void {
    while (this.#takeIf('space') !== undefined);
  }
  #expect(type: TokenType, where: string): Token {
    this.#skipSpace();
    const token = this.#take();
    if (token.type !== type) throw this.#unexpected(describe(token), token.at, where);
    return token;
  }
  #unexpected(what: string, at: number, where?: string): TemplateError {
    return new TemplateError('parse', `unexpected ${what}${where === undefined ? '' : ` in ${where}`}`, at);
  }
  #nested<T>(at: number, run: () => T): T {
    if (++this.#depth > MAX_NESTING)
      throw new TemplateError(
        'limit',
        l10n.t('The template has more than {0} levels of nesting', formatNumber(MAX_NESTING)),
        at,
      );
    const result = run();
    this.#depth--;
    return result;
  }

  // -- lists and keywords

  #list(top = false): { nodes: readonly TemplateNode[]; closing: Closing } {
    const nodes: TemplateNode[] = [];
    for (;;) {
      const token = this.#take();
      if (token.type === 'end') {
        if (!top) throw this.#unexpected('EOF', token.at);
        return { nodes, closing: { word: 'eof', at: token.at, end: token.end } };
      }
      if (token.type === 'text') {
        nodes.push({ kind: 'text', text: token.text, at: token.at, end: token.end });
        continue;
      }
      this.#skipSpace();
      const word = this.#peek().type === 'word' ? this.#peek().text : '';
      switch (word) {
        case 'end':
        case 'else': {
          this.#take();
          const end = word === 'end' ? this.#expect('close', 'end').end : token.end;
          return { nodes, closing: { word, at: token.at, end } };
        }
        case 'if':
        case 'with':
        case 'range':
          this.#take();
          nodes.push(this.#branch(word, token));
          break;
        case 'define':
          this.#take();
          this.#definition(token, top);
          break;
        case 'block':
          this.#take();
          nodes.push(this.#block(token));
          break;
        case 'template':
          this.#take();
          nodes.push(this.#call(token));
          break;
        case 'break':
        case 'continue': {
          this.#take();
          const { end } = this.#expect('close', word);
          if (this.#ranges === 0) throw new TemplateError('parse', `{{${word}}} outside {{range}}`, token.at);
          nodes.push({ kind: word, at: token.at, end });
          break;
        }
        default: {
          const pipe = this.#pipe('command', 'close');
          nodes.push({ kind: 'action', pipe, at: token.at, end: this.#take().end });
        }
      }
    }
  }

  #branch(kind: BranchNode['kind'], open: Token): BranchNode {
    return this.#nested(open.at, () => {
      const mark = this.#scope.length;
      const pipe = this.#pipe(kind, 'close');
      const { end } = this.#take();
      if (kind === 'range') this.#ranges++;
      const body = this.#list();
      if (kind === 'range') this.#ranges--;
      const otherwise = body.closing.word === 'else' ? this.#otherwise(kind, body.closing) : [];
      this.#scope.length = mark;
      return { kind, pipe, then: body.nodes, otherwise, at: open.at, end };
    });
  }

  #otherwise(kind: BranchNode['kind'], closing: Closing): readonly TemplateNode[] {
    this.#skipSpace();
    if (kind !== 'range' && this.#takeIf('word', kind) !== undefined) {
      // `{{else if x}}` is an if of its own that shares the {{end}}.
      return [this.#branch(kind, { type: 'open', text: '', at: closing.at, end: closing.end })];
    }
    this.#expect('close', 'else');
    const { nodes, closing: last } = this.#list();
    if (last.word !== 'end') throw new TemplateError('parse', 'expected end; found {{else}}', last.at);
    return nodes;
  }

  #name(where: string): string {
    const token = this.#expect('string', where);
    return parseString(token.text, token.at);
  }

  #definition(open: Token, top: boolean): void {
    if (!top) throw this.#unexpected('{{define}}', open.at);
    const name = this.#name('define clause');
    this.#expect('close', 'define clause');
    this.#body(name, open);
  }

  #body(name: string, open: Token): void {
    const scope = this.#scope;
    const ranges = this.#ranges;
    this.#scope = ['$'];
    this.#ranges = 0;
    const { nodes, closing } = this.#nested(open.at, () => this.#list());
    if (closing.word !== 'end') throw this.#unexpected('{{else}}', closing.at, 'define clause');
    this.#scope = scope;
    this.#ranges = ranges;
    this.#define(name, nodes, open.at);
  }

  #define(name: string, nodes: readonly TemplateNode[], at: number): void {
    const known = this.#set.get(name);
    if (known === undefined || isEmpty(known)) this.#set.set(name, nodes);
    else if (!isEmpty(nodes)) throw new TemplateError('parse', `multiple definition of template "${name}"`, at);
  }

  #call(open: Token): TemplateNode {
    const name = this.#name('template clause');
    this.#skipSpace();
    const pipe = this.#peek().type === 'close' ? undefined : this.#pipe('template clause', 'close');
    return { kind: 'template', name, pipe, at: open.at, end: this.#take().end };
  }

  #block(open: Token): TemplateNode {
    const name = this.#name('block clause');
    const pipe = this.#pipe('block clause', 'close');
    const { end } = this.#take();
    this.#body(name, open);
    return { kind: 'template', name, pipe, at: open.at, end };
  }

  // -- pipelines

  /** Parses a pipeline up to the token of type `until`. */
  #pipe(where: string, until: 'close' | 'right'): Pipe {
    this.#skipSpace();
    const { at } = this.#peek();
    const { variables, assigns } = this.#variables(where);
    const commands: Command[] = [];
    for (;;) {
      this.#skipSpace();
      if (this.#peek().type === until) break;
      commands.push(this.#command(where));
      this.#skipSpace();
      if (this.#takeIf('pipe') === undefined) {
        if (this.#peek().type !== until) throw this.#unexpected(describe(this.#peek()), this.#peek().at, where);
        break;
      }
      this.#skipSpace();
    }
    if (commands.length === 0) throw new TemplateError('parse', `missing value for ${where}`, at);
    const stage = commands.findIndex(
      ({ args: [first] }, index) => index > 0 && ['dot', 'nil', 'literal'].includes(first.kind),
    );
    if (stage > 0)
      throw new TemplateError('parse', `non executable command in pipeline stage ${stage + 1}`, commands[stage]?.at);
    return { variables, assigns, commands };
  }

  /** As in Go, whether an assigned variable exists is checked at execution. */
  #variables(where: string): Pick<Pipe, 'variables' | 'assigns'> {
    const names: string[] = [];
    for (;;) {
      const start = this.#next;
      const variable = this.#takeIf('variable');
      if (variable === undefined) break;
      this.#skipSpace();
      const sign = this.#takeIf('declare') ?? this.#takeIf('assign');
      if (sign === undefined && this.#takeIf('comma') === undefined) {
        this.#next = start;
        break;
      }
      names.push(variable.text);
      this.#scope.push(variable.text);
      if (this.#scope.length > MAX_VARIABLES)
        throw new TemplateError(
          'limit',
          l10n.t('The template has more than {0} variables', formatNumber(MAX_VARIABLES)),
          variable.at,
        );
      if (sign !== undefined) return { variables: names, assigns: sign.type === 'assign' };
      if (where !== 'range' || names.length === 2)
        throw new TemplateError('parse', `too many declarations in ${where}`, variable.at);
      this.#skipSpace();
      if (!['variable', 'close', 'right'].includes(this.#peek().type))
        throw new TemplateError('parse', 'range can only initialize variables', variable.at);
    }
    return { variables: names, assigns: false };
  }

  #known(name: string, at: number): string {
    if (!this.#scope.includes(name)) throw new TemplateError('parse', `undefined variable "${name}"`, at);
    return name;
  }

  #command(where: string): Command {
    const { at } = this.#peek();
    const first = this.#operand(where);
    const rest: Expression[] = [];
    while (this.#takeIf('space') !== undefined) {
      this.#skipSpace();
      if (['pipe', 'close', 'right'].includes(this.#peek().type)) break;
      rest.push(this.#operand(where));
    }
    return { args: [first, ...rest], at };
  }

  #operand(where: string): Expression {
    const { at } = this.#peek();
    const term = this.#term(where);
    const names = this.#fields();
    if (names.length === 0) return term;
    if (term.kind === 'dot' || term.kind === 'nil' || term.kind === 'literal')
      throw new TemplateError('parse', 'unexpected . after a constant', at);
    if (term.kind === 'field' || term.kind === 'variable') return { ...term, names: [...term.names, ...names] };
    return { kind: 'chain', of: term, names };
  }

  #fields(): readonly string[] {
    const names: string[] = [];
    for (let token = this.#takeIf('field'); token !== undefined; token = this.#takeIf('field'))
      names.push(token.text.slice(1));
    return names;
  }

  #term(where: string): Expression {
    const token = this.#take();
    const { type, text, at } = token;
    switch (type) {
      case 'dot':
        return { kind: 'dot' };
      case 'field':
        return { kind: 'field', names: [text.slice(1)] };
      case 'variable':
        return { kind: 'variable', name: this.#known(text, at), names: [] };
      case 'number':
        return { kind: 'literal', value: parseNumber(text, at) };
      case 'char':
        return { kind: 'literal', value: parseChar(text, at) };
      case 'string':
        return { kind: 'literal', value: parseString(text, at) };
      case 'left': {
        const pipe = this.#nested(at, () => this.#pipe('parenthesized pipeline', 'right'));
        this.#take();
        return { kind: 'pipe', pipe };
      }
      case 'word':
        if (text === 'nil') return { kind: 'nil' };
        if (text === 'true' || text === 'false') return { kind: 'literal', value: text === 'true' };
        if (isFunctionName(text)) return { kind: 'function', name: text };
        throw new TemplateError('parse', `function "${text}" not defined`, at);
      default:
        throw this.#unexpected(describe(token), at, where);
    }
  }
}

function describe({ type, text }: Token): string {
  return type === 'end' ? 'EOF' : type === 'close' ? '}}' : JSON.stringify(text.slice(0, 40));
}

function isEmpty(nodes: readonly TemplateNode[]): boolean {
  return nodes.every((node) => node.kind === 'text' && node.text.trim() === '');
}

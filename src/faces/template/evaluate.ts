/** Runs a template that is ready: values, variables, branches, output; within a budget. */
import type { Program, Ready } from './escape.ts';
import { JOINED } from './escape.ts';
import { escapeWith } from './escapers.ts';
import { callFunction, checkCount, joined } from './functions.ts';
import { TemplateProblem, type Command, type Expression, type Pipe, type Span } from './nodes.ts';
import {
  entryOf,
  fromData,
  isList,
  isMap,
  isTrue,
  keysOf,
  refuse,
  typeName,
  type Budget,
  type Value,
} from './values.ts';

/** A template that calls itself is stopped here. */
const MAX_CALLS = 100;

export interface Sink {
  write(text: string): void;
  /** an action whose value does not exist */
  missing(span: Span, reason: string): void;
  /** where Go would stop; here the action is left out and the rest goes on */
  failed(span: Span, problem: TemplateProblem): void;
}

/** Throws TemplateProblem of phase `limit` only. */
export function run(program: Program, data: unknown, budget: Budget, sink: Sink): void {
  new Run(program, budget, sink).main(fromData(data));
}

/** Set apart from every value: nothing came down the pipe. */
const NOTHING = Symbol('nothing');

interface Variable {
  readonly name: string;
  value: Value;
}

class Run {
  readonly #program: Program;
  readonly #budget: Budget;
  readonly #sink: Sink;
  #variables: Variable[] = [];
  #depth = 0;
  /** the last field that was looked for and not there */
  #absent: string | undefined;

  constructor(program: Program, budget: Budget, sink: Sink) {
    this.#program = program;
    this.#budget = budget;
    this.#sink = sink;
  }

  main(data: Value): void {
    this.#variables = [{ name: '$', value: data }];
    this.#walk(this.#program.main, data);
  }

  /** What a {{break}} or {{continue}} asks of the range around. */
  #walk(nodes: readonly Ready[], dot: Value): 'break' | 'continue' | undefined {
    for (const node of nodes) {
      this.#budget.spend(10);
      switch (node.kind) {
        case 'text':
          this.#sink.write(node.text);
          break;
        case 'action':
          this.#tried(node, () => {
            this.#action(node, dot);
          });
          break;
        case 'template':
          this.#tried(node, () => {
            this.#call(node, dot);
          });
          break;
        case 'break':
        case 'continue':
          return node.kind;
        default: {
          const mark = this.#variables.length;
          const jump = this.#tried(node, () => this.#branch(node, dot));
          this.#variables.length = mark;
          if (jump !== undefined) return jump;
        }
      }
    }
    return undefined;
  }

  #tried<T>(node: Span, run: () => T): T | undefined {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof TemplateProblem) || error.phase === 'limit') throw error;
      this.#sink.failed(node, error);
      return undefined;
    }
  }

  #action(node: Extract<Ready, { kind: 'action' }>, dot: Value): void {
    this.#absent = undefined;
    const value = this.#pipe(node.pipe, dot);
    if (node.pipe.variables.length > 0) return;
    const reason = this.#missing();
    if (value === undefined && reason !== undefined) this.#sink.missing(node, reason);
    let escaped: Value = value;
    for (const name of node.escapers) escaped = escapeWith(name, escaped, this.#budget);
    // An action that can never run, behind a {{break}}, has no escapers; nothing unescaped may come out.
    if (node.escapers.length > 0 && typeof escaped === 'string') this.#sink.write(escaped);
  }

  #missing(): string | undefined {
    return this.#absent;
  }

  #call(node: Extract<Ready, { kind: 'template' }>, dot: Value): void {
    const value = node.pipe === undefined ? undefined : this.#pipe(node.pipe, dot);
    if (++this.#depth > MAX_CALLS) throw new TemplateProblem('limit', 'templates call each other too deep', node.at);
    const outer = this.#variables;
    this.#variables = [{ name: '$', value }];
    this.#walk(this.#program.instances.get(node.instance) ?? [], value);
    this.#variables = outer;
    this.#depth--;
  }

  #branch(node: Extract<Ready, { kind: 'if' | 'with' | 'range' }>, dot: Value): 'break' | 'continue' | undefined {
    const value = this.#pipe(node.pipe, dot, node.kind === 'range');
    if (node.kind === 'range') return this.#range(node, value, dot);
    if (!isTrue(value)) return this.#walk(node.otherwise, dot);
    return this.#walk(node.then, node.kind === 'with' ? value : dot);
  }

  #range(
    node: Extract<Ready, { kind: 'if' | 'with' | 'range' }>,
    over: Value,
    dot: Value,
  ): 'break' | 'continue' | undefined {
    const pairs = pairsOf(over);
    if (pairs.length === 0) return this.#walk(node.otherwise, dot);
    const { variables, assigns } = node.pipe;
    const mark = this.#variables.length;
    for (const [key, element] of pairs) {
      this.#budget.spend(10);
      const [first, second] = variables;
      const values = second === undefined ? [element] : [key, element];
      [first, second].forEach((name, index) => {
        if (name !== undefined) this.#set(name, values[index], assigns);
      });
      const jump = this.#walk(node.then, element);
      this.#variables.length = mark;
      if (jump === 'break') break;
    }
    return undefined;
  }

  #set(name: string, value: Value, assigns: boolean): void {
    if (!assigns) {
      this.#variables.push({ name, value });
      return;
    }
    const known = this.#variables.findLast((variable) => variable.name === name);
    if (known === undefined) throw refuse(`undefined variable: ${name}`);
    known.value = value;
  }

  /** `ranges`: the variables are set for each element instead. */
  #pipe(pipe: Pipe, dot: Value, ranges = false): Value {
    let piped: Value = NOTHING;
    // Behind a command Go no longer knows a nil of the data from a value that is missing.
    for (const command of pipe.commands) piped = this.#command(command, dot, piped) ?? undefined;
    const value: Value = piped === NOTHING ? '' : piped;
    for (const name of ranges ? [] : pipe.variables) this.#set(name, value, pipe.assigns);
    return value;
  }

  #command({ args: [first, ...rest] }: Command, dot: Value, piped: Value): Value {
    this.#budget.spend(5);
    const alone = rest.length === 0 && piped === NOTHING;
    if (first.kind === 'function') return this.#function(first.name, rest, dot, piped);
    if (first.kind === 'nil') throw refuse('nil is not a command');
    if (!alone) {
      const name = 'names' in first ? first.names.at(-1) : undefined;
      // A field of what is missing is missing, whatever it is given.
      if ('names' in first && name !== undefined && this.#holder(first, dot) === undefined) return undefined;
      throw refuse(
        name === undefined ? "can't give argument to non-function" : `${name} is not a method but has arguments`,
      );
    }
    return this.#expression(first, dot);
  }

  /** What the last of the names is looked for in. */
  #holder(expression: Extract<Expression, { names: readonly string[] }>, dot: Value): Value {
    return this.#expression({ ...expression, names: expression.names.slice(0, -1) }, dot);
  }

  #expression(expression: Expression, dot: Value): Value {
    switch (expression.kind) {
      case 'dot':
        return dot;
      case 'nil':
        return undefined;
      case 'literal':
        return expression.value;
      case 'field':
        return this.#fields(dot, expression.names);
      case 'variable':
        return this.#fields(this.#variables.findLast(({ name }) => name === expression.name)?.value, expression.names);
      case 'function':
        return this.#function(expression.name, [], dot, NOTHING);
      case 'pipe':
        return this.#pipe(expression.pipe, dot);
      case 'chain':
        return this.#fields(this.#expression(expression.of, dot), expression.names);
    }
  }

  #fields(start: Value, names: readonly string[]): Value {
    let at = start;
    for (const [index, name] of names.entries()) {
      this.#budget.spend(1);
      // Go keeps silent about fields of what is missing, and refuses those of nil.
      if (at === undefined) {
        this.#absent ??= `there is no .${names.join('.')}`;
        break;
      }
      if (at === null) throw refuse(`nil pointer evaluating interface {}.${name}`);
      if (!isMap(at)) throw refuse(`can't evaluate field ${name} in type ${typeName(at)}`);
      at = entryOf(at, name);
      if (at === undefined) this.#absent = `there is no .${names.slice(0, index + 1).join('.')}`;
    }
    return at;
  }

  #function(name: string, args: readonly Expression[], dot: Value, piped: Value): Value {
    const count = args.length + (piped === NOTHING ? 0 : 1);
    if (name === 'and' || name === 'or') {
      checkCount(name, count);
      let value: Value;
      for (const arg of args) {
        value = this.#expression(arg, dot);
        if (isTrue(value) === (name === 'or')) return value;
      }
      return piped === NOTHING ? value : piped;
    }
    const values = args.map((arg) => this.#expression(arg, dot));
    if (piped !== NOTHING) values.push(piped);
    if (name === JOINED) return joined(values, this.#budget);
    checkCount(name, count);
    return callFunction(name, values, this.#budget);
  }
}

function pairsOf(over: Value): readonly (readonly [Value, Value])[] {
  if (over === undefined || over === null) return [];
  if (isList(over)) return over.map((element, index) => [BigInt(index), fromData(element)]);
  if (isMap(over)) return keysOf(over).map((key) => [key, entryOf(over, key)]);
  throw refuse(`range can't iterate over ${typeName(over)}`);
}

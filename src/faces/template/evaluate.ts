/** Executes an escaped template: values, variables, branches and output, within a budget. */
import * as l10n from '@vscode/l10n';
import type { Program, EscapedNode } from './escape/escape.ts';
import { JOIN_FUNCTION } from './escape/escape.ts';
import { applyEscaper } from './escape/escapers.ts';
import { callFunction, checkArgumentCount, joinArguments } from './functions/functions.ts';
import { TemplateError, type Command, type Expression, type Pipe, type Span } from './nodes.ts';
import {
  getEntry,
  toValue,
  isList,
  isMap,
  isTrue,
  getSortedKeys,
  createExecutionError,
  getTypeName,
  type Budget,
  type Steps,
  type Value,
} from './values.ts';

/** Maximum depth of calls. */
const MAX_CALLS = 100;

interface ExecutionOutput {
  write(text: string): void;
  /** an action whose value does not exist */
  missing(span: Span, reason: string): void;
  /** an action at which Go stops; here execution continues */
  failed(span: Span, problem: TemplateError): void;
}

/** Executes the template, in steps. Throws TemplateError of phase `limit` only. */
export function execute(program: Program, data: unknown, budget: Budget, sink: ExecutionOutput): Steps<void> {
  return new Execution(program, budget, sink).main(toValue(data));
}

/** Marks the absence of a piped value. */
const NO_PIPED_VALUE = Symbol('nothing');

/** Units of a failed action: creating an error takes as long as several nodes. */
const FAILURE_COST = 100;

type Jump = 'break' | 'continue' | undefined;

interface Variable {
  readonly name: string;
  value: Value;
}

class Execution {
  readonly #program: Program;
  readonly #budget: Budget;
  readonly #output: ExecutionOutput;
  #variables: Variable[] = [];
  #depth = 0;
  /** the last field that was not found */
  #missingReason: string | undefined;

  constructor(program: Program, budget: Budget, sink: ExecutionOutput) {
    this.#program = program;
    this.#budget = budget;
    this.#output = sink;
  }

  *main(data: Value): Steps<void> {
    this.#variables = [{ name: '$', value: data }];
    yield* this.#walk(this.#program.main, data);
  }

  /** Returns a pending {{break}} or {{continue}}. */
  *#walk(nodes: readonly EscapedNode[], dot: Value): Steps<Jump> {
    for (const node of nodes) {
      this.#budget.spend(10);
      if (this.#budget.isStepDone()) yield;
      switch (node.kind) {
        case 'text':
          this.#output.write(node.text);
          break;
        case 'break':
        case 'continue':
          return node.kind;
        default: {
          const jump = yield* this.#tryNode(node, dot);
          if (jump !== undefined) return jump;
        }
      }
    }
    return undefined;
  }

  *#tryNode(node: Exclude<EscapedNode, { kind: 'text' | 'break' | 'continue' }>, dot: Value): Steps<Jump> {
    try {
      if (node.kind === 'action') this.#action(node, dot);
      else if (node.kind === 'template') yield* this.#call(node, dot);
      else return yield* this.#branch(node, dot);
    } catch (error) {
      if (!(error instanceof TemplateError) || error.phase === 'limit') throw error;
      this.#budget.spend(FAILURE_COST);
      this.#output.failed(node, error);
      return yield* this.#skip(node, dot);
    }
    return undefined;
  }

  /**
   * Continues after a failed node. What follows was escaped for the context after it, to which an empty value, the {{else}} part
   * or a call without data leads as well.
   */
  *#skip(node: Exclude<EscapedNode, { kind: 'text' | 'break' | 'continue' }>, dot: Value): Steps<Jump> {
    if (node.kind === 'template') {
      yield* this.#call({ ...node, pipe: undefined }, dot);
      return undefined;
    }
    const mark = this.#variables.length;
    // Uses of a variable that could not be computed are not reported, too.
    if (!node.pipe.assigns) for (const name of node.pipe.variables) this.#variables.push({ name, value: undefined });
    if (node.kind === 'action') {
      this.#print('', node);
      return undefined;
    }
    const jump = yield* this.#walk(node.otherwise, dot);
    this.#variables.length = mark;
    return jump;
  }

  #action(node: Extract<EscapedNode, { kind: 'action' }>, dot: Value): void {
    this.#missingReason = undefined;
    const value = this.#pipe(node.pipe, dot);
    if (node.pipe.variables.length > 0) return;
    const reason = this.#getMissingReason();
    if (value === undefined && reason !== undefined) this.#output.missing(node, reason);
    this.#print(value, node);
  }

  /** Assignments, and unreachable actions after a {{break}}, have no escapers and print nothing. */
  #print(value: Value, { escapers }: Extract<EscapedNode, { kind: 'action' }>): void {
    let escaped = value;
    for (const name of escapers) escaped = applyEscaper(name, escaped, this.#budget);
    if (escapers.length > 0 && typeof escaped === 'string') this.#output.write(escaped);
  }

  #getMissingReason(): string | undefined {
    return this.#missingReason;
  }

  *#call(node: Extract<EscapedNode, { kind: 'template' }>, dot: Value): Steps<void> {
    const value = node.pipe === undefined ? undefined : this.#pipe(node.pipe, dot);
    if (++this.#depth > MAX_CALLS)
      throw new TemplateError('limit', l10n.t('Template calls are nested too deeply'), node.at);
    const outer = this.#variables;
    this.#variables = [{ name: '$', value }];
    yield* this.#walk(this.#program.instances.get(node.instance) ?? [], value);
    this.#variables = outer;
    this.#depth--;
  }

  *#branch(node: Extract<EscapedNode, { kind: 'if' | 'with' | 'range' }>, dot: Value): Steps<Jump> {
    const mark = this.#variables.length;
    try {
      const value = this.#pipe(node.pipe, dot);
      if (node.kind === 'range') return yield* this.#range(node, value, dot);
      if (!isTrue(value, this.#budget)) return yield* this.#walk(node.otherwise, dot);
      return yield* this.#walk(node.then, node.kind === 'with' ? value : dot);
    } finally {
      this.#variables.length = mark;
    }
  }

  *#range(node: Extract<EscapedNode, { kind: 'if' | 'with' | 'range' }>, over: Value, dot: Value): Steps<Jump> {
    const [first, second] = node.pipe.variables;
    const mark = this.#variables.length;
    let isEmpty = true;
    for (const [key, element] of getPairs(over, this.#budget)) {
      isEmpty = false;
      this.#budget.spend(10);
      if (first !== undefined) this.#assign(first, second === undefined ? element : key);
      if (second !== undefined) this.#assign(second, element);
      const jump = yield* this.#walk(node.then, element);
      this.#variables.length = mark;
      if (jump === 'break') break;
    }
    // Within {{else}}, the variables of the range have the value that is ranged over.
    return isEmpty ? yield* this.#walk(node.otherwise, dot) : undefined;
  }

  /** Throws TemplateError if the scope of the variable has ended. */
  #getVariable(name: string): Variable {
    const known = this.#variables.findLast((variable) => variable.name === name);
    if (known === undefined) throw createExecutionError(`undefined variable: ${name}`);
    return known;
  }

  #assign(name: string, value: Value): void {
    this.#getVariable(name).value = value;
  }

  #pipe(pipe: Pipe, dot: Value): Value {
    let piped: Value = NO_PIPED_VALUE;
    // After a command, Go does not distinguish nil from a missing value.
    for (const command of pipe.commands) piped = this.#command(command, dot, piped) ?? undefined;
    const value: Value = piped === NO_PIPED_VALUE ? '' : piped;
    for (const name of pipe.variables) {
      if (pipe.assigns) this.#assign(name, value);
      else this.#variables.push({ name, value });
    }
    return value;
  }

  #command({ args: [first, ...rest] }: Command, dot: Value, piped: Value): Value {
    this.#budget.spend(5);
    const alone = rest.length === 0 && piped === NO_PIPED_VALUE;
    if (first.kind === 'function') return this.#function(first.name, rest, dot, piped);
    if (first.kind === 'nil') throw createExecutionError('nil is not a command');
    if (!alone) {
      const name = 'names' in first ? first.names.at(-1) : undefined;
      // A field of a missing value is missing too.
      if ('names' in first && name !== undefined && this.#evaluateParent(first, dot) === undefined) return undefined;
      throw createExecutionError(
        name === undefined ? "can't give argument to non-function" : `${name} is not a method but has arguments`,
      );
    }
    return this.#expression(first, dot);
  }

  /** Returns the value in which the last name is looked up. */
  #evaluateParent(expression: Extract<Expression, { names: readonly string[] }>, dot: Value): Value {
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
        return this.#fields(this.#getVariable(expression.name).value, expression.names);
      case 'function':
        return this.#function(expression.name, [], dot, NO_PIPED_VALUE);
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
      // Go ignores fields of a missing value, and rejects fields of nil.
      if (at === undefined) {
        this.#missingReason ??= l10n.t('Field {0} does not exist', `.${names.join('.')}`);
        break;
      }
      if (at === null) throw createExecutionError(`nil pointer evaluating interface {}.${name}`);
      if (!isMap(at)) throw createExecutionError(`can't evaluate field ${name} in type ${getTypeName(at)}`);
      at = getEntry(at, name);
      if (at === undefined)
        this.#missingReason = l10n.t('Field {0} does not exist', `.${names.slice(0, index + 1).join('.')}`);
    }
    return at;
  }

  #function(name: string, args: readonly Expression[], dot: Value, piped: Value): Value {
    const count = args.length + (piped === NO_PIPED_VALUE ? 0 : 1);
    if (name === 'and' || name === 'or') {
      checkArgumentCount(name, count);
      let value: Value;
      for (const arg of args) {
        value = this.#expression(arg, dot);
        if (isTrue(value, this.#budget) === (name === 'or')) return value;
      }
      return piped === NO_PIPED_VALUE ? value : piped;
    }
    const values = args.map((arg) => this.#expression(arg, dot));
    if (piped !== NO_PIPED_VALUE) values.push(piped);
    if (name === JOIN_FUNCTION) return joinArguments(values, this.#budget);
    checkArgumentCount(name, count);
    return callFunction(name, values, this.#budget);
  }
}

function* getPairs(over: Value, budget: Budget): Iterable<readonly [Value, Value]> {
  if (over === undefined || over === null) return;
  if (isList(over)) for (const [index, element] of over.entries()) yield [BigInt(index), toValue(element)];
  else if (isMap(over)) for (const key of getSortedKeys(over, budget)) yield [key, getEntry(over, key)];
  else throw createExecutionError(`range can't iterate over ${getTypeName(over)}`);
}

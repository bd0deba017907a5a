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
  type Value,
} from './values.ts';

/** Maximum depth of calls. */
const MAX_CALLS = 100;

interface ExecutionOutput {
  write(text: string): void;
  /** an action whose value does not exist */
  missing(span: Span, reason: string): void;
  /** an action at which Go stops; here it is left out and execution continues */
  failed(span: Span, problem: TemplateError): void;
}

/** Executes the template. Throws TemplateError of phase `limit` only. */
export function execute(program: Program, data: unknown, budget: Budget, sink: ExecutionOutput): void {
  new Execution(program, budget, sink).main(toValue(data));
}

/** Marks the absence of a piped value. */
const NO_PIPED_VALUE = Symbol('nothing');

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

  main(data: Value): void {
    this.#variables = [{ name: '$', value: data }];
    this.#walk(this.#program.main, data);
  }

  /** a pending {{break}} or {{continue}} */
  #walk(nodes: readonly EscapedNode[], dot: Value): 'break' | 'continue' | undefined {
    for (const node of nodes) {
      this.#budget.spend(10);
      switch (node.kind) {
        case 'text':
          this.#output.write(node.text);
          break;
        case 'action':
          this.#tryNode(node, () => {
            this.#action(node, dot);
          });
          break;
        case 'template':
          this.#tryNode(node, () => {
            this.#call(node, dot);
          });
          break;
        case 'break':
        case 'continue':
          return node.kind;
        default: {
          const mark = this.#variables.length;
          const jump = this.#tryNode(node, () => this.#branch(node, dot));
          this.#variables.length = mark;
          if (jump !== undefined) return jump;
        }
      }
    }
    return undefined;
  }

  #tryNode<T>(node: Span, run: () => T): T | undefined {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof TemplateError) || error.phase === 'limit') throw error;
      this.#output.failed(node, error);
      return undefined;
    }
  }

  #action(node: Extract<EscapedNode, { kind: 'action' }>, dot: Value): void {
    this.#missingReason = undefined;
    const value = this.#pipe(node.pipe, dot);
    if (node.pipe.variables.length > 0) return;
    const reason = this.#getMissingReason();
    if (value === undefined && reason !== undefined) this.#output.missing(node, reason);
    let escaped: Value = value;
    for (const name of node.escapers) escaped = applyEscaper(name, escaped, this.#budget);
    // Unreachable actions after a {{break}} have no escapers: print nothing.
    if (node.escapers.length > 0 && typeof escaped === 'string') this.#output.write(escaped);
  }

  #getMissingReason(): string | undefined {
    return this.#missingReason;
  }

  #call(node: Extract<EscapedNode, { kind: 'template' }>, dot: Value): void {
    const value = node.pipe === undefined ? undefined : this.#pipe(node.pipe, dot);
    if (++this.#depth > MAX_CALLS)
      throw new TemplateError('limit', l10n.t('Template calls are nested too deeply'), node.at);
    const outer = this.#variables;
    this.#variables = [{ name: '$', value }];
    this.#walk(this.#program.instances.get(node.instance) ?? [], value);
    this.#variables = outer;
    this.#depth--;
  }

  #branch(node: Extract<EscapedNode, { kind: 'if' | 'with' | 'range' }>, dot: Value): 'break' | 'continue' | undefined {
    const value = this.#pipe(node.pipe, dot, node.kind === 'range');
    if (node.kind === 'range') return this.#range(node, value, dot);
    if (!isTrue(value)) return this.#walk(node.otherwise, dot);
    return this.#walk(node.then, node.kind === 'with' ? value : dot);
  }

  #range(
    node: Extract<EscapedNode, { kind: 'if' | 'with' | 'range' }>,
    over: Value,
    dot: Value,
  ): 'break' | 'continue' | undefined {
    const pairs = getPairs(over);
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
    if (known === undefined) throw createExecutionError(`undefined variable: ${name}`);
    known.value = value;
  }

  /** `ranges`: the range sets its variables itself */
  #pipe(pipe: Pipe, dot: Value, ranges = false): Value {
    let piped: Value = NO_PIPED_VALUE;
    // After a command, Go does not distinguish nil from a missing value.
    for (const command of pipe.commands) piped = this.#command(command, dot, piped) ?? undefined;
    const value: Value = piped === NO_PIPED_VALUE ? '' : piped;
    for (const name of ranges ? [] : pipe.variables) this.#set(name, value, pipe.assigns);
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
        return this.#fields(this.#variables.findLast(({ name }) => name === expression.name)?.value, expression.names);
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
        if (isTrue(value) === (name === 'or')) return value;
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

function getPairs(over: Value): readonly (readonly [Value, Value])[] {
  if (over === undefined || over === null) return [];
  if (isList(over)) return over.map((element, index) => [BigInt(index), toValue(element)]);
  if (isMap(over)) return getSortedKeys(over).map((key) => [key, getEntry(over, key)]);
  throw createExecutionError(`range can't iterate over ${getTypeName(over)}`);
}

#!/usr/bin/env node
/** The program `smart-objects`. */
import { ProgramRun } from './run-program.ts';

process.exitCode = await new ProgramRun(process).run(process.argv.slice(2));

/** `npm run sandbox`. */
import { serveSandbox } from './command-line.ts';

process.exitCode = await serveSandbox(process.argv.slice(2), 'npm run sandbox --');

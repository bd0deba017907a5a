/**
 * What the MCP SDK imports as its module for the runtime: that of Node.js, but with the smaller of the SDK's two validators
 * of JSON Schema, which only elicitation needs. esbuild.mjs puts it in place of the SDK's.
 */
export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
export { default as process } from 'node:process';

// Pure-JS stand-in for the native @vscode/spdlog (which needs a compiler).
'use strict';
const fs = require('fs'),
  path = require('path');
const NAMES = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];
class Logger {
  constructor(type, name, file) {
    this.name = name;
    this.file = file;
    this.level = 2;
    this.raw = false;
  }
  _w(l, m) {
    if (l < this.level || !this.file) return;
    try {
      fs.appendFileSync(
        this.file,
        this.raw ? m : `${new Date().toISOString().replace('T', ' ').slice(0, -1)} [${NAMES[l]}] ${m}\n`,
      );
    } catch {
      /* never break the host */
    }
  }
  getLevel() {
    return this.level;
  }
  setLevel(l) {
    this.level = l;
  }
  setPattern() {}
  clearFormatters() {
    this.raw = true;
  }
  flush() {}
  drop() {
    this.file = undefined;
  }
}
['trace', 'debug', 'info', 'warn', 'error', 'critical'].forEach((n, i) => {
  Logger.prototype[n] = function (m) {
    this._w(i, m);
  };
});
async function create(name, file) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  return new Logger('rotating', name, file);
}
exports.version = 11500;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;

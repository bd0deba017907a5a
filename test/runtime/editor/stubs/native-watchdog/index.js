// The native module kills the extension host when its parent dies. Plain-JS equivalent.
'use strict';
exports.start = (pid) => {
  setInterval(() => {
    try {
      process.kill(pid, 0);
    } catch {
      process.exit(87);
    }
  }, 2000).unref();
};

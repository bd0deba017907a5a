// Nothing at all, on purpose.
'use strict';
exports.activate = () => undefined;

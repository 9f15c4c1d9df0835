// eslint.config.mjs - rules for the modules of the page; tests/page.py copies it beside the modules and the packages.
// SPDX-License-Identifier: GPL-3.0-or-later

import js from '@eslint/js';
import globals from 'globals';

export default [
  js.configs.recommended,
  {
    files: ['*.js'],
    languageOptions: { ecmaVersion: 2023, sourceType: 'module', globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      curly: ['error', 'multi-line'],
      eqeqeq: 'error',
      'max-lines': ['error', 600],
      'max-lines-per-function': ['error', 80],
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-restricted-globals': ['error', 'fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'Worker', 'alert', 'confirm', 'prompt'],
      'no-restricted-properties': ['error', { property: 'innerHTML' }, { property: 'outerHTML' }, { property: 'insertAdjacentHTML' }, { object: 'document', property: 'write' }],
      'no-shadow': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
];

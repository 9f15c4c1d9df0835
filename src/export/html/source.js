// source.js - source files: the samples in the code of each line, and the calls of functions.
// SPDX-License-Identifier: GPL-3.0-or-later

import { data, functions, functionCount, share } from './data.js';
import { count, cut, plural, samples } from './format.js';
import { h } from './dom.js';
import { functionLink } from './app.js';
import { Rows } from './rows.js';

const { sources } = data;
const HEATS = 5;

/** @param {import('./data.js').Source} source */
const samplesOf = (source) => source.samples.reduce((/** @type {number} */ sum, n) => sum + (n || 0), 0);

const order = sources.map((_, i) => i).sort((a, b) => samplesOf(sources[b]) - samplesOf(sources[a]) || a - b);
const place = h('div', { class: 'fill' });
const status = h('p', { class: 'status', role: 'status' });
const select = h('select', { id: 'source-file' }, order.map((i) => h('option', { value: i }, cut(`${sources[i].path}${heatText(sources[i])}`))));
const code = h('div', { class: 'code' });

/** @param {import('./data.js').Source} source */
function heatText(source) {
  const part = share(samplesOf(source), data.totals.samples);
  return part === null ? '' : ` (${part.toFixed(1)} %)`;
}

/** @param {string} path */
function functionsByLine(path) {
  const lines = new Map();
  for (let f = 0; f < functionCount; f++) if (functions.file[f] === path && functions.line[f] && !lines.has(functions.line[f])) lines.set(functions.line[f], f);
  return lines;
}

/** @param {import('./data.js').Source} source */
function rowsOf(source) {
  const text = source.text.split('\n');
  if (text[text.length - 1] === '') text.pop();
  const at = new Map(source.line.map((line, i) => [line, i]));
  const named = functionsByLine(source.path);
  const hottest = source.samples.reduce((/** @type {number} */ most, n) => Math.max(most, n || 0), 0);
  /** @param {number} row @param {(number | string | null)[]} column */
  const cell = (row, column) => column[at.get(row + 1) ?? -1] ?? null;
  /** @param {number} row */
  const own = (row) => Number(cell(row, source.samples)) || 0;
  return new Rows({
    label: `Source ${source.path}`,
    rows: text.map((_, i) => i),
    className: (row) => (own(row) > 0 ? `heat-${Math.max(1, Math.ceil((HEATS * own(row)) / hottest))}` : ''),
    columns: [
      { key: 'line', label: 'Line', title: 'Number of the line', cell: (row) => row + 1 },
      { key: 'share', label: '%', title: 'Share of all samples', cell: (row) => (own(row) > 0 ? (share(own(row), data.totals.samples) || 0).toFixed(2) : '') },
      { key: 'samples', label: 'Samples', title: 'Samples in the code of the line: measured', cell: (row) => (own(row) > 0 ? samples(own(row)) : '') },
      { key: 'calls', label: 'Calls', title: 'Calls of the function that begins here: counted, exact', cell: (row) => (Number(cell(row, source.calls)) > 0 ? count(cell(row, source.calls)) : '') },
      { key: 'text', label: 'Source', title: 'Text of the file', isText: true, cell: (row) => h('code', {}, cut(text[row].replace(/\t/g, '        '))) },
      { key: 'function', label: 'Function', title: 'The function that begins here', isText: true, cell: (row) => (named.has(row + 1) ? functionLink(named.get(row + 1)) : '') },
    ],
  });
}

/** @param {number} i @param {number} line */
function showSource(i, line) {
  const source = sources[i];
  const rows = rowsOf(source);
  select.value = String(i);
  status.textContent = `${plural(rows.rows.length, 'line')}, ${plural(Math.round(samplesOf(source)), 'sample')}`;
  code.replaceChildren(rows.element);
  const hottest = source.line[source.samples.reduce((/** @type {number} */ best, n, at) => ((n || 0) > (source.samples[best] || 0) ? at : best), 0)] || 1;
  requestAnimationFrame(() => {
    rows.draw(true);
    rows.element.scrollTop = Math.max(0, (line || hottest) - 8) * rows.rowHeight;
  });
}

/** @param {URLSearchParams} parameters */
function show(parameters) {
  const wanted = sources.findIndex((source) => source.path === parameters.get('source'));
  showSource(wanted >= 0 ? wanted : order[0], Number(parameters.get('line')));
}

/** @returns {HTMLElement} */
function create() {
  select.addEventListener('change', () => {
    location.hash = `#${new URLSearchParams({ source: sources[Number(select.value)].path })}`;
  });
  place.append(h('div', { class: 'controls' }, h('label', {}, 'File: ', select)), status, code);
  return place;
}

export const hasSources = sources.length > 0;

/** @type {import('./app.js').View} */
export const source = { id: 'source', title: 'Source', create, show };

// source.js - code of functions, with the time of each line and instruction; source files, with the samples in each line.
// SPDX-License-Identifier: GPL-3.0-or-later

import { data, findFunction, functions, functionCount, share } from './data.js';
import { count, cut, percent, plural, samples, time, timeWithUnit } from './format.js';
import { h } from './dom.js';
import { baseName, functionLink, linkTo, nameOf, noteOf, titleOf } from './app.js';
import { Rows } from './rows.js';

const { sources } = data;
const code = (data.code || []).filter((c) => c.rows.length > 0);
const HEATS = 5;

/**
 * Blanks up to the next multiple of eight columns in place of tabs.
 * @param {string} text
 */
function untabbed(text) {
  let size = 0;
  return text.replace(/[^\t]+|\t/g, (part) => {
    const shown = part === '\t' ? ' '.repeat(8 - (size % 8)) : part;
    size += shown.length;
    return shown;
  });
}

/** @param {import('./data.js').Source} source */
const samplesOf = (source) => source.samples.reduce((/** @type {number} */ sum, n) => sum + (n || 0), 0);

const order = sources.map((_, i) => i).sort((a, b) => samplesOf(sources[b]) - samplesOf(sources[a]) || a - b);
const place = h('div', { class: 'fill' });
const status = h('p', { class: 'status', role: 'status' });
const select = h(
  'select',
  { id: 'source-file' },
  h('optgroup', { label: 'Functions with the most time of their own' }, code.map((c, i) => h('option', { value: `f${i}` }, cut(`${nameOf(c.function)}${noteOf(c.function)}${shareText(functions.self[c.function], data.self_total)}`)))),
  h('optgroup', { label: 'Files' }, order.map((i) => h('option', { value: i }, cut(`${sources[i].path}${shareText(samplesOf(sources[i]), data.totals.samples)}`)))),
);
const listing = h('div', { class: 'code' });

/** @param {number | null} amount @param {number | null} whole */
function shareText(amount, whole) {
  const part = share(amount, whole);
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
      { key: 'samples', label: 'Samples', isWide: true, title: 'Samples in the code of the line: measured', cell: (row) => (own(row) > 0 ? samples(own(row)) : '') },
      { key: 'calls', label: 'Calls', isWide: true, title: 'Calls of the function that begins here: counted, exact', cell: (row) => (Number(cell(row, source.calls)) > 0 ? count(cell(row, source.calls)) : '') },
      { key: 'text', label: 'Source', title: 'Text of the file', isText: true, cell: (row) => h('code', {}, cut(untabbed(text[row]))) },
      { key: 'function', label: 'Function', isWide: true, title: 'The function that begins here', isText: true, cell: (row) => (named.has(row + 1) ? functionLink(named.get(row + 1)) : '') },
    ],
  });
}

// ---- Code of functions ----

/**
 * What stands before the text of a row: the number of its line, its file where that is another one, or its address.
 * @param {import('./data.js').CodeRow} row
 * @param {string | null} file of the function
 */
function placeOf(row, file) {
  if (row.kind === 'instruction') return (row.address || '').slice(2);
  if (row.line === null) return '';
  return row.kind === 'inlined' || row.file !== file ? `${baseName(row.file || '?')}:${row.line}` : String(row.line);
}

/** @param {number} i */
function codeRows(i) {
  const { rows: all, function: f } = code[i];
  const file = functions.file[f];
  const whole = data.self_total;
  const hottest = all.reduce((most, row) => Math.max(most, row.self || 0), 0);
  /** By row: that which it is folded below; -1: it is always shown. @type {number[]} */
  const ownerOf = [];
  /** Those that have instructions. @type {Set<number>} */
  const owners = new Set();
  let owner = -1;
  all.forEach((row, r) => {
    if (row.kind === 'line' || row.kind === 'inlined') owner = r;
    ownerOf[r] = row.kind.startsWith('instruction') ? owner : -1;
    if (ownerOf[r] >= 0) owners.add(owner);
  });
  const open = new Set();
  const shown = () => all.map((_, r) => r).filter((r) => ownerOf[r] < 0 || open.has(ownerOf[r]));
  /** @param {number} r */
  const toggle = (r) => {
    if (!open.delete(r)) open.add(r);
    const top = table.element.scrollTop;
    table.setRows(shown());
    table.element.scrollTop = top;
    table.draw(true);
  };
  /** @param {number} r */
  const button = (r) => {
    const isOpen = open.has(r);
    return owners.has(r) ? h('button', { type: 'button', class: 'fold', 'aria-expanded': String(isOpen), title: isOpen ? 'Hide the instructions' : 'Show the instructions', onclick: () => toggle(r) }, isOpen ? '▾' : '▸') : h('span', { class: 'fold' });
  };
  /** @param {number | null} value */
  const known = (value) => (value !== null && value > 0 ? value : null);
  const hasTotals = all.some((row) => row.total !== null);
  const total = { key: 'total', label: 'total', isWide: true, title: 'The same with what is called there', cell: (/** @type {number} */ r) => time(known(all[r].total)) };
  const table = new Rows({
    label: `Code of ${nameOf(f)}`,
    rows: shown(),
    className: (r) => `${known(all[r].self) ? `heat-${Math.max(1, Math.ceil((HEATS * (all[r].self || 0)) / hottest))}` : ''}`,
    columns: [
      { key: 'place', label: 'Line', title: 'Line, file and line of inlined code, or address of an instruction', isText: true, cell: (r) => h('span', { class: `place ${all[r].kind}` }, button(r), placeOf(all[r], file)) },
      { key: 'self%', label: 'self%', title: 'Share of all time', cell: (r) => percent(known(all[r].self) && share(all[r].self, whole)) },
      { key: 'self', label: 'self', isWide: true, title: 'Time in the code of the line or instruction', cell: (r) => time(known(all[r].self)) },
      ...(hasTotals ? [total] : []),
      { key: 'code', label: 'Code', title: 'Text of the line, or the instruction', isText: true, cell: (r) => h('code', { class: all[r].kind }, all[r].kind.endsWith('gap') ? '…' : cut(untabbed(all[r].text || ''))) },
    ],
  });
  return table;
}

/** @param {number} i */
function showCode(i) {
  const f = code[i].function;
  const per = data.bytes_per_bin && code[i].rows.some((row) => row.kind === 'instruction') ? `; samples of instructions per ${data.bytes_per_bin} bytes` : '';
  select.value = `f${i}`;
  status.replaceChildren(functionLink(f, { title: titleOf(f) }), `: ${timeWithUnit(functions.self[f])} of its own, ${timeWithUnit(functions.total[f])} in total${per}`);
  const rows = codeRows(i);
  listing.replaceChildren(rows.element);
  requestAnimationFrame(() => rows.draw(true));
}

// ---- Files ----

/** @param {number} i @param {number} line */
function showSource(i, line) {
  const source = sources[i];
  const rows = rowsOf(source);
  select.value = String(i);
  status.textContent = `${plural(rows.rows.length, 'line')}, ${plural(Math.round(samplesOf(source)), 'sample')}`;
  listing.replaceChildren(rows.element);
  const hottest = source.line[source.samples.reduce((/** @type {number} */ best, n, at) => ((n || 0) > (source.samples[best] || 0) ? at : best), 0)] || 1;
  requestAnimationFrame(() => {
    rows.draw(true);
    rows.element.scrollTop = Math.max(0, (line || hottest) - 8) * rows.rowHeight;
  });
}

/** @param {URLSearchParams} parameters */
function show(parameters) {
  const [path, name] = [parameters.get('source'), parameters.get('code')];
  const wanted = sources.findIndex((source) => source.path === path);
  const f = name ? findFunction(name, parameters.get('at') || undefined) : -1;
  const named = code.findIndex((c) => c.function === f);
  if (wanted >= 0) showSource(wanted, Number(parameters.get('line')));
  else if (code.length > 0) showCode(Math.max(0, named));
  else showSource(order[0], 0);
  return (path && wanted < 0) || (name && named < 0) ? `This page has no code of “${cut(path || name || '')}”.` : '';
}

/** @returns {HTMLElement} */
function create() {
  select.addEventListener('change', () => {
    const isCode = select.value.startsWith('f');
    const number = Number(select.value.replace('f', ''));
    location.hash = isCode ? linkTo(code[number].function).replace('#f=', '#code=') : `#${new URLSearchParams({ source: sources[number].path })}`;
  });
  place.append(h('div', { class: 'controls' }, h('label', {}, 'Code of: ', select)), status, listing);
  return place;
}

export const hasSources = sources.length > 0 || code.length > 0;

/** @type {import('./app.js').View} */
export const source = { id: 'source', title: 'Source', create, show };

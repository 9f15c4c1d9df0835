// table.js - all functions with all columns of --top: sorted, searched and filtered.
// SPDX-License-Identifier: GPL-3.0-or-later

import { about, data, functions, functionCount, byImportance, calleeCount, callerCount, errorOf, isDoubtful, isSampled, selfShare, totalShare } from './data.js';
import { count, cut, percent, plural, prefixFor, samples, time, unit } from './format.js';
import { h } from './dom.js';
import { baseName, functionLink, hasCalls, hasCounts, hasTimes, matcherOf, onNamesChanged } from './app.js';
import { Rows } from './rows.js';

const order = byImportance();
const DOUBT = 'fewer than 10 samples';

/** Shares of all time, of each function and those before it in the order of --top. */
function cumulativeShares() {
  const shares = new Float64Array(functionCount);
  let sum = 0;
  for (const f of order) {
    sum += functions.self[f] || 0;
    shares[f] = data.self_total ? (100 * sum) / data.self_total : NaN;
  }
  return shares;
}

/**
 * Times per call, in one unit for all.
 * @param {(f: number) => number | null} value
 */
function perCallColumn(value) {
  let largest = 0;
  for (let f = 0; f < functionCount; f++) largest = Math.max(largest, value(f) || 0);
  const prefix = prefixFor(largest);
  return {
    unit: `${prefix.name}${unit}`,
    /** @param {number} f */
    cell: (f) => {
      const own = value(f);
      return own === null ? '' : (own * prefix.factor).toFixed(2);
    },
  };
}

/** @param {number | null} part @param {import('./data.js').Count | null} calls */
const perCall = (part, calls) => (part !== null && Number(calls) > 0 ? part / Number(calls) : null);

/** @param {number} f */
const selfPerCall = (f) => perCall(functions.self[f], functions.calls[f]);

/** @param {number | string | null} value */
const orNull = (value) => (Number(value) === 0 ? null : Number(value));

/** @type {(f: number) => string} */
const placeOf = (f) => (functions.file[f] ? `${functions.file[f]}${functions.line[f] ? `:${functions.line[f]}` : ''}` : '');

/** @returns {(import('./rows.js').Column & {isMain?: boolean, needs?: boolean})[]} */
function makeColumns() {
  const measured = isSampled ? 'measured by recorded stacks' : 'as the profile states them';
  const origin = data.measured ? measured : 'estimated: assumes that all calls of a function cost the same';
  const hasBounds = hasTimes && hasCalls && !data.measured;
  const cumulative = cumulativeShares();
  const each = perCallColumn(selfPerCall);
  return [
    { key: 'name', label: 'Function', title: 'Name of the function', isText: true, isMain: true, value: (f) => functions.name[f].toLowerCase(), cell: (f) => functionLink(f) },
    { key: 'self%', label: 'Self %', title: 'Own time: share of all time', isMain: true, needs: hasTimes, value: selfShare, bar: selfShare, cell: (f) => percent(selfShare(f)) },
    { key: 'self', label: `Self ${unit}`, title: 'Own time, without that of the functions it calls', isMain: true, needs: hasTimes, value: (f) => functions.self[f], cell: (f) => time(functions.self[f]) },
    { key: 'error', label: '± Error', title: 'Sampling error of the own time; ? marks fewer than 10 samples', isMain: true, needs: hasTimes, value: errorOf, cell: (f) => time(errorOf(f)), doubt: (f) => (isDoubtful(f) ? DOUBT : null) },
    { key: 'cumulative%', label: 'Cumul. %', title: 'Own time of this and all functions with more own time', needs: hasTimes, value: (f) => cumulative[f], cell: (f) => percent(cumulative[f]) },
    { key: 'total%', label: `${about}Total %`, title: `Time with callees: share of all time; ${origin}`, isMain: true, needs: hasTimes && hasCalls, value: totalShare, bar: totalShare, cell: (f) => percent(totalShare(f)) },
    { key: 'total', label: `${about}Total ${unit}`, title: `Time with callees; ${origin}`, isMain: true, needs: hasTimes && hasCalls, value: (f) => functions.total[f], cell: (f) => time(functions.total[f]) },
    { key: 'least', label: 'At least', title: 'The time with callees is at least this, whatever each call costs', isMain: true, needs: hasBounds, value: (f) => functions.least[f], cell: (f) => time(functions.least[f]) },
    { key: 'most', label: 'At most', title: 'The time with callees is at most this, whatever each call costs', isMain: true, needs: hasBounds, value: (f) => functions.most[f], cell: (f) => time(functions.most[f]) },
    { key: 'calls', label: 'Calls', title: 'Calls by other functions: counted, exact', isMain: true, needs: hasCounts, value: (f) => orNull(functions.calls[f]), cell: (f) => (orNull(functions.calls[f]) === null ? '' : count(functions.calls[f])) },
    { key: 'self/call', label: `Self/call ${each.unit}`, title: 'Own time for each call', needs: hasTimes && hasCounts, value: selfPerCall, cell: each.cell },
    { key: 'callers', label: 'Callers', title: 'Functions that call it', isMain: true, needs: hasCalls, value: callerCount, cell: (f) => count(callerCount(f)) },
    { key: 'callees', label: 'Callees', title: 'Functions that it calls', needs: hasCalls, value: calleeCount, cell: (f) => count(calleeCount(f)) },
    { key: 'samples', label: 'Samples', title: 'Samples in its own code', needs: hasTimes, value: (f) => functions.samples[f], cell: (f) => samples(functions.samples[f]) },
    { key: 'cycle', label: 'Cycle', title: 'Number of the cycle of functions that call each other', needs: data.cycles.length > 0, value: (f) => functions.cycle[f], cell: (f) => functions.cycle[f] || '' },
    { key: 'file', label: 'File', title: 'File and line', isText: true, isMain: true, needs: functions.file.some(Boolean), value: (f) => placeOf(f) || null, cell: (f) => h('span', { class: 'file', title: placeOf(f) }, cut(baseName(placeOf(f)))) },
    { key: 'address', label: 'Address', title: 'Address in the program', isText: true, value: (f) => functions.address[f]?.slice(2).padStart(16, '0') ?? null, cell: (f) => functions.address[f] || '' },
    { key: 'raw', label: 'Symbol', title: 'Name in the program, not demangled', isText: true, needs: functions.raw.some((raw, f) => raw !== functions.name[f]), value: (f) => functions.raw[f], cell: (f) => h('span', { class: 'name' }, cut(functions.raw[f])) },
  ];
}

/** @type {Rows} */
let rows;
const filter = { search: '', share: 0, isInCycle: false };
const status = h('p', { class: 'status', role: 'status' });

function applyFilter() {
  const matches = matcherOf(filter.search);
  const least = filter.share;
  const shown = order.filter((f) => (!matches || matches(functions.name[f]) || (functions.file[f] !== null && matches(`${functions.name[f]} ${placeOf(f)}`))) && (least === 0 || Math.max(selfShare(f) || 0, totalShare(f) || 0) >= least) && (!filter.isInCycle || functions.cycle[f] !== null));
  const own = shown.reduce((sum, f) => sum + (functions.self[f] || 0), 0);
  const part = hasTimes && data.self_total ? `, ${Math.min(100, (100 * own) / data.self_total).toFixed(1)}\u00a0% of the time` : '';
  status.textContent = `${count(shown.length)} of ${plural(functionCount, 'function')}${part}`;
  rows.setRows(shown);
}

function shareSelect() {
  const choices = [0, 0.01, 0.1, 1, 5].map((least) => h('option', { value: least }, least === 0 ? 'any share' : `${least}\u00a0% or more`));
  const select = h('select', {}, choices);
  select.addEventListener('change', () => {
    filter.share = Number(select.value);
    applyFilter();
  });
  return h('label', {}, 'Self or total: ', select);
}

/** @param {string} text @param {(isChecked: boolean) => void} listener */
function checkbox(text, listener) {
  const box = h('input', { type: 'checkbox' });
  box.addEventListener('change', () => listener(box.checked));
  return h('label', { class: 'check' }, box, ` ${text}`);
}

function searchField() {
  const field = h('input', { type: 'search', id: 'filter', placeholder: 'words, or /expression/', autocomplete: 'off', spellcheck: 'false' });
  field.addEventListener('input', () => {
    filter.search = field.value;
    applyFilter();
  });
  return h('label', {}, 'Name or file: ', field);
}

/** @returns {HTMLElement} */
function create() {
  const columns = makeColumns().filter((column) => column.needs !== false);
  const main = columns.filter((column) => column.isMain);
  rows = new Rows({ label: 'Functions', columns: main, rows: order });
  rows.sortKey = hasTimes ? 'self' : 'calls';
  applyFilter();
  onNamesChanged(() => rows.draw(true));
  const controls = h(
    'div',
    { class: 'controls', role: 'group', 'aria-label': 'Filters' },
    searchField(),
    hasTimes ? shareSelect() : null,
    data.cycles.length > 0
      ? checkbox('only in cycles', (isChecked) => {
          filter.isInCycle = isChecked;
          applyFilter();
        })
      : null,
    checkbox('all columns', (isChecked) => rows.setColumns(isChecked ? columns : main)),
  );
  return h('div', { class: 'fill' }, controls, status, rows.element, hasCalls && hasTimes && !data.measured ? h('p', { class: 'quiet note' }, '≈ is estimated: it assumes that all calls of a function cost the same. “At least” and “at most” hold without that.') : null);
}

/** @type {import('./app.js').View} */
export const table = { id: 'functions', title: 'Functions', create, show: () => rows.draw(true) };

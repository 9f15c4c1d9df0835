// compare.js - what changed since another profile: own times of functions before and after.
// SPDX-License-Identifier: GPL-3.0-or-later

import { data, findFunction, functions } from './data.js';
import { count, cut, plural, time, timeWithUnit, unit } from './format.js';
import { h } from './dom.js';
import { functionLink } from './app.js';
import { Rows } from './rows.js';

const { comparison } = data;
const all = comparison?.rows || [];
export const changes = all.filter((row) => row.kind !== 'total');
const total = all.find((row) => row.kind === 'total');
const largest = changes.reduce((most, row) => Math.max(most, Math.abs(row.change || 0)), 0);

/** @param {number | null} value @param {(value: number) => string} show */
const signed = (value, show) => {
  if (value === null) return '';
  const shown = show(Math.abs(value)); // what is rounded to zero has no sign
  return `${/[1-9]/.test(shown) ? (value > 0 ? '+' : '\u2212') : ''}${shown}`;
};

/** @param {import('./data.js').ChangeRow} row */
const isSignificant = (row) => comparison !== undefined && row.p !== null && row.p < comparison.tests.alpha && !row['took-over'];

/** A bar from the middle: to the right if slower, to the left if faster. */
/** @param {number} i */
function changeBar(i) {
  const change = changes[i].change || 0;
  const fill = h('span', { class: 'bar-fill' });
  const width = largest > 0 ? (50 * Math.abs(change)) / largest : 0;
  fill.style.width = `${width}%`;
  fill.style.left = `${change > 0 ? 50 : 50 - width}%`;
  return h('span', { class: 'bar both', 'aria-hidden': 'true' }, fill);
}

/** @param {number} i */
function className(i) {
  const row = changes[i];
  if (row.kind !== 'both') return row.kind;
  if (!isSignificant(row)) return 'unsure';
  return (row.change || 0) > 0 ? 'slower' : 'faster';
}

/** @param {import('./data.js').ChangeRow} row */
const whole = (row) => row.name + (row['moved-from'] === null ? '' : `, moved from ${row['moved-from']}`) + (row['took-over'] ? `, took over ${row['took-over']}` : '');

/**
 * The function of a row, whose name may have its file in parentheses; -1: it is gone.
 * @param {import('./data.js').ChangeRow} row
 */
function functionOfRow(row) {
  if (row.kind === 'gone') return -1;
  const f = findFunction(row.name, undefined);
  const name = row.name.replace(/ \([^()]*\)$/, '');
  return f >= 0 ? f : functions.name.findIndex((other, g) => other === name && functions.file[g] === row.file);
}

/** The function that changed most; -1: none, or it is gone. */
export function mostChanged() {
  const [first] = significantChanges();
  return first ? functionOfRow(first) : -1;
}

/** @param {import('./data.js').ChangeRow} row */
export function changedName(row) {
  const f = functionOfRow(row);
  const title = whole(row).slice(0, 2000);
  return f >= 0 ? functionLink(f, { title }) : h('span', { class: 'name', title }, cut(row.name));
}

/** @param {number} i */
const callsChange = (i) => (changes[i]['calls-before'] === null || changes[i].calls === null ? null : Number(changes[i].calls) - Number(changes[i]['calls-before']));

/** What the gate (--fail-above) says, if there was one. */
function verdictNote() {
  const { status, functions: number } = comparison?.verdict || { status: 'none', functions: 0 };
  if (status === 'none') return null;
  /** @type {Record<string, [string, string]>} */
  const texts = {
    passed: ['good', 'no regression'],
    regression: ['rough', `regression${number > 0 ? ` of ${plural(number, 'function')}` : ''}`],
    blind: ['fair', 'too few samples to see a regression of the size that was asked for'],
  };
  return h('p', {}, h('span', { class: `badge ${texts[status][0]}` }, texts[status][1]));
}

/** Times with callees, if both sides have recorded stacks. */
function inclusiveColumns() {
  if (!changes.some((row) => row['total-p'] !== undefined)) return [];
  /** @param {'total-before' | 'total-after' | 'total-change' | 'total-p'} key @param {string} label @param {string} title @param {(value: number) => string} show */
  const column = (key, label, title, show) => ({
    key,
    label,
    title,
    value: (/** @type {number} */ i) => changes[i][key] ?? null,
    cell: (/** @type {number} */ i) => {
      const value = changes[i][key] ?? null;
      return value === null ? '' : show(value);
    },
  });
  return [
    column('total-before', `Total before ${unit}`, 'Time with callees for each run, before', time),
    column('total-after', `Total after ${unit}`, 'Time with callees for each run, after', time),
    column('total-change', 'Total change', 'Time with callees, after less before', (value) => signed(value, time)),
    column('total-p', 'Total p', 'Probability of such a difference of times with callees without a change, adjusted', (value) => value.toPrecision(2)),
  ];
}

/** Those with the largest change first. */
export const significantChanges = () => changes.filter(isSignificant).sort((a, b) => Math.abs(b.change || 0) - Math.abs(a.change || 0));

/** The same of times with callees. */
export const significantTotals = () => changes.filter((row) => comparison !== undefined && (row['total-p'] ?? 1) < comparison.tests.alpha).sort((a, b) => Math.abs(b['total-change'] || 0) - Math.abs(a['total-change'] || 0));

/** All functions together. */
export function sumSentence() {
  const chance = total && isSignificant(total) ? '' : ', which may be chance';
  return `Compared with ${comparison?.before.image.path || 'the base'}${total ? `, all together went from ${time(total.before)} to ${timeWithUnit(total.after)}${chance}` : ''}.`;
}

/** @returns {HTMLElement} */
function create() {
  const rows = new Rows({
    label: 'Changes',
    rows: changes.map((_, i) => i),
    className,
    columns: [
      { key: 'name', label: 'Function', title: 'Name of the function', isText: true, value: (i) => changes[i].name.toLowerCase(), cell: (i) => changedName(changes[i]) },
      { key: 'bar', label: 'Faster | slower', title: 'Change, to the right if slower', cell: changeBar },
      { key: 'before', label: `Before ${unit}`, title: 'Own time for each run, before', value: (i) => changes[i].before, cell: (i) => time(changes[i].before) },
      { key: 'after', label: `After ${unit}`, title: 'Own time for each run, after', value: (i) => changes[i].after, cell: (i) => time(changes[i].after) },
      { key: 'change', label: 'Change', title: 'After less before', value: (i) => changes[i].change, cell: (i) => signed(changes[i].change, time) },
      { key: 'error', label: '± Error', title: 'Error of the change', value: (i) => changes[i].error, cell: (i) => time(changes[i].error) },
      { key: 'p', label: 'p', title: 'Probability of such a difference without a change, adjusted for the number of functions', value: (i) => changes[i].p, cell: (i) => (changes[i].p === null ? '' : /** @type {number} */ (changes[i].p).toPrecision(2)) },
      { key: 'verdict', label: 'Verdict', title: 'Whether the change is more than chance', isText: true, value: className, cell: (i) => (className(i) === 'unsure' ? 'not significant' : className(i)) },
      ...inclusiveColumns(),
      { key: 'calls', label: 'Calls after', title: 'Calls after', value: (i) => (changes[i].calls === null ? null : Number(changes[i].calls)), cell: (i) => count(changes[i].calls) },
      { key: 'calls-change', label: 'Calls change', title: 'Calls after less calls before', value: callsChange, cell: (i) => signed(callsChange(i), count) },
      { key: 'callers', label: 'Callers', title: 'New callers, and those that are gone', isText: true, cell: (i) => h('span', { class: 'name' }, cut(changes[i].callers || '')) },
    ],
  });
  const sure = significantChanges().length;
  return h('div', { class: 'fill' }, verdictNote(), h('p', { class: 'status' }, `${plural(sure, 'significant change')} among ${plural(changes.length, 'function')}. What is grey may be chance. ${sumSentence()}`), rows.element);
}

export const hasComparison = changes.length > 0;

/** @type {import('./app.js').View} */
export const compare = { id: 'compare', title: 'Comparison', create };

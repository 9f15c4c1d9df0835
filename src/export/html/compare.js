// compare.js - what changed since another profile: own times of functions, and times with callees, before and after.
// SPDX-License-Identifier: GPL-3.0-or-later

import { data, findFunction, functions, functionsNamed } from './data.js';
import { count, cut, plural, roughPercent, time, timeWithUnit, unit } from './format.js';
import { h } from './dom.js';
import { functionLink } from './app.js';
import { Rows } from './rows.js';

const { comparison } = data;
const all = comparison?.rows || [];
export const changes = all.filter((row) => row.kind !== 'total');
const total = all.find((row) => row.kind === 'total');

/** Keys of the two times that are compared; of those with callees only if both sides have recorded stacks. */
const OWN = /** @type {const} */ ({ name: 'own time', before: 'before', after: 'after', change: 'change', error: 'error', p: 'p' });
const INCLUSIVE = /** @type {const} */ ({ name: 'time with callees', before: 'total-before', after: 'total-after', change: 'total-change', error: 'total-error', p: 'total-p' });

/** @typedef {typeof OWN | typeof INCLUSIVE} Scope */

const scopes = comparison?.inclusive ? [OWN, INCLUSIVE] : [OWN];

/** @param {number | null} value @param {(value: number) => string} show */
const signed = (value, show) => {
  if (value === null) return '';
  const shown = show(Math.abs(value)); // what is rounded to zero has no sign
  return `${/[1-9]/.test(shown) ? (value > 0 ? '+' : '\u2212') : ''}${shown}`;
};

/** @param {import('./data.js').ChangeRow} row @param {Scope} scope */
const hasChanged = (row, scope) => (row[scope.p] ?? 1) < (comparison?.tests.alpha || 0);

/** Whether the function only took over what callees did that are gone: with its callees it has not grown. @param {import('./data.js').ChangeRow} row */
const onlyTookOver = (row) => row['took-over'] && (row[INCLUSIVE.p] ?? null) !== null && !(hasChanged(row, INCLUSIVE) && (row[INCLUSIVE.change] || 0) > 0);

/** @param {import('./data.js').ChangeRow} row @param {Scope} scope */
const isSignificant = (row, scope = OWN) => hasChanged(row, scope) && !(scope === OWN && onlyTookOver(row));

/** A bar from the middle: to the right if slower, to the left if faster. @param {number} change @param {number} largest */
function changeBar(change, largest) {
  const fill = h('span', { class: 'bar-fill' });
  const width = largest > 0 ? (50 * Math.abs(change)) / largest : 0;
  fill.style.width = `${width}%`;
  fill.style.left = `${change > 0 ? 50 : 50 - width}%`;
  return h('span', { class: 'bar both', 'aria-hidden': 'true' }, fill);
}

/** @param {import('./data.js').ChangeRow} row @param {Scope} scope */
function verdictOf(row, scope) {
  if (row.kind !== 'both') return row.kind;
  if (!isSignificant(row, scope)) return 'unsure';
  return (row[scope.change] || 0) > 0 ? 'slower' : 'faster';
}

/** @param {import('./data.js').ChangeRow} row */
const whole = (row) => row.name + (row['moved-from'] === null ? '' : `, moved from ${row['moved-from']}`) + (row['took-over'] ? `, took over ${row['took-over']}` : '');

/**
 * The function of a row, whose name may have its file in parentheses; -1: it is gone.
 * @param {import('./data.js').ChangeRow} row
 */
function functionOfRow(row) {
  if (row.kind === 'gone') return -1;
  const same = functionsNamed(row.name.replace(/ \(was .*\)$/, '').replace(/ \([^()]*\)$/, '')).filter((f) => functions.file[f] === row.file);
  return same.length === 1 ? same[0] : findFunction(row.name, undefined);
}

/** The function that changed most; -1: none, or it is gone. */
export function mostChanged() {
  const [first] = significantChanges().flat();
  return first ? functionOfRow(first.row) : -1;
}

/** @param {import('./data.js').ChangeRow} row */
export function changedName(row) {
  const f = functionOfRow(row);
  const title = whole(row).slice(0, 2000);
  return f >= 0 ? functionLink(f, { title }) : h('span', { class: 'name', title }, cut(row.name));
}

/** @param {number} i */
const callsChange = (i) => (changes[i]['calls-before'] === null || changes[i].calls === null ? null : Number(changes[i].calls) - Number(changes[i]['calls-before']));

/** What keeps a gate from seeing. @type {Record<string, string>} */
const BLIND = {
  'not tested': 'nothing tells chance from',
  floor: 'a lower floor (--fail-above) would be needed to see',
  runs: 'too few runs to see',
  samples: 'too few samples to see',
};

/** What the gate (--fail-above) says, if there was one. */
function verdictNote() {
  const { status, reason, functions: number } = comparison?.verdict || { status: 'none', reason: null, functions: 0 };
  if (status === 'none') return null;
  /** @type {Record<string, [string, string]>} */
  const texts = {
    passed: ['good', 'no regression'],
    regression: ['rough', `regression${number > 0 ? ` of ${plural(number, 'function')}` : ''}`],
    blind: ['fair', `${reason ? BLIND[reason] : ''} a regression of the size that was asked for`],
  };
  return h('p', {}, h('span', { class: `badge ${texts[status][0]}` }, texts[status][1]));
}

/** Rows with significant changes, those with the largest first. @param {Scope} scope */
const changed = (scope) => changes.filter((row) => isSignificant(row, scope)).sort((a, b) => Math.abs(b[scope.change] || 0) - Math.abs(a[scope.change] || 0));

/** Those of own time, and those of time with callees. */
export const significantChanges = () => scopes.map((scope) => changed(scope).map((row) => ({ row, scope })));

/**
 * `, +34 %'; empty if there was nothing.
 * @param {number | null} before @param {number | null} after
 */
export function growth(before, after) {
  if (!before) return '';
  const times = (after || 0) / before;
  return times >= 10 ? `, ${count(Math.round(times))} times as much` : `, ${times > 1 ? '+' : '\u2212'}${roughPercent(Math.abs(100 * times - 100))}`;
}

/** All functions together. */
export function sumSentence() {
  const chance = total && isSignificant(total) ? '' : ', which may be chance';
  return `Compared with ${comparison?.before.image.path || 'the base'}${total ? `, the own time of all together went from ${time(total.before)} to ${timeWithUnit(total.after)}${growth(total.before, total.after)}${chance}${total.p ? ` (p = ${total.p.toPrecision(2)})` : ''}` : ''}.`;
}

/** Which figures are of one run, if there are several. */
export function runsNote() {
  const [before, after] = [comparison?.before.runs || 1, comparison?.after.runs || 1];
  if (before <= 1 && after <= 1) return null;
  return h('p', { class: 'quiet note' }, `Times and calls of the comparison are those of one run, of ${count(before)} before and ${count(after)} after.${data.inputs.length > 1 ? ` The other views have the sums of all ${count(data.inputs.length)} profiles.` : ''}`);
}

/** Why the own times here are not those of other views. */
export function samplesNote() {
  const { before, after, inclusive } = comparison || {};
  if (!inclusive || !before || !after) return null;
  return h('p', { class: 'quiet note' }, `Own times are compared by the ${count(before.samples)} and ${plural(after.samples ?? 0, 'sample')} of the histograms, times with callees by ${count(Math.round(inclusive.samples_before))} and ${plural(Math.round(inclusive.samples), 'stack')}. The other views take all times from the stacks.`);
}

/** Why the flame graph does not show what changed. */
export function noPathsNote() {
  if (comparison?.inclusive) return 'The base is JSON of an older version, which has no stacks: no differential flame graph is possible.';
  return `${data.measured ? 'The base' : 'This profile'} has no recorded stacks: no differential flame graph is possible.`;
}

/** @param {Scope} scope @returns {import('./rows.js').Column[]} */
function columnsOf(scope) {
  const largest = changes.reduce((most, row) => Math.max(most, Math.abs(row[scope.change] || 0)), 0);
  const what = scope === OWN ? 'Own time' : 'Time with callees';
  /** @param {'before' | 'after' | 'change' | 'error' | 'p'} key @param {string} label @param {string} title @param {(value: number) => string} show */
  const column = (key, label, title, show) => ({
    key,
    label,
    title,
    value: (/** @type {number} */ i) => changes[i][scope[key]] ?? null,
    cell: (/** @type {number} */ i) => show(changes[i][scope[key]] ?? NaN).replace('NaN', ''),
  });
  return [
    { key: 'name', label: 'Function', title: 'Name of the function', isText: true, value: (i) => changes[i].name.toLowerCase(), cell: (i) => changedName(changes[i]) },
    { key: 'bar', label: 'Faster | slower', title: 'Change, to the right if slower', cell: (i) => changeBar(changes[i][scope.change] || 0, largest) },
    column('before', `Before ${unit}`, `${what} for each run, before`, time),
    column('after', `After ${unit}`, `${what} for each run, after`, time),
    column('change', 'Change', 'After less before', (value) => signed(value, time)),
    column('error', '± Error', 'Error of the change', time),
    column('p', 'p', 'Probability of such a difference without a change, adjusted for the number of functions', (value) => value.toPrecision(2)),
    { key: 'verdict', label: 'Verdict', title: 'Whether the change is more than chance', isText: true, value: (i) => verdictOf(changes[i], scope), cell: (i) => verdictOf(changes[i], scope).replace('unsure', 'not significant') },
    { key: 'calls', label: 'Calls after', title: 'Calls after', value: (i) => (changes[i].calls === null ? null : Number(changes[i].calls)), cell: (i) => count(changes[i].calls) },
    { key: 'calls-change', label: 'Calls change', title: 'Calls after less calls before', value: callsChange, cell: (i) => signed(callsChange(i), count) },
    { key: 'callers', label: 'Callers', title: 'New callers, and those that are gone', isText: true, cell: (i) => h('span', { class: 'file', title: changes[i].callers }, cut(changes[i].callers || '')) },
  ];
}

/** @returns {HTMLElement} */
function create() {
  let scope = comparison?.verdict.of === 'inclusive time' ? INCLUSIVE : OWN;
  const rows = new Rows({ label: 'Changes', rows: changes.map((_, i) => i), className: (i) => verdictOf(changes[i], scope), columns: columnsOf(scope) });
  /** @param {Scope} wanted */
  const choose = (wanted) => {
    scope = wanted;
    rows.setColumns(columnsOf(scope));
  };
  const choice = h('fieldset', { class: 'choice' }, h('legend', {}, 'Compare'), scopes.map((s) => h('label', {}, h('input', { type: 'radio', name: 'scope', checked: s === scope, onchange: () => choose(s) }), ` ${s.name}`)));
  const sure = scopes.map((s) => `${plural(changed(s).length, 'significant change')} of ${s.name}`).join(' and ');
  return h('div', { class: 'fill' }, verdictNote(), h('p', { class: 'status' }, `${sure} among ${plural(changes.length, 'function')}. What is grey may be chance. ${sumSentence()}`), scopes.length > 1 ? h('div', { class: 'controls' }, choice) : null, rows.element, runsNote(), samplesNote());
}

export const hasComparison = changes.length > 0;

/** @type {import('./app.js').View} */
export const compare = { id: 'compare', title: 'Comparison', create };

// threads.js - the threads of the program; the functions and the stacks of one of them.
// SPDX-License-Identifier: GPL-3.0-or-later

import { data, functionCount, share } from './data.js';
import { count, cut, percent, plural, time, timeWithUnit, unit } from './format.js';
import { h, wrapped } from './dom.js';
import { functionLink, linkTo, onNamesChanged } from './app.js';
import { Rows } from './rows.js';
import { FUNCTION, OTHERS, figuresOf, nameFunctions, nameOfFrame } from './stacks.js';
import { Icicle } from './icicle.js';

/** @typedef {import('./stacks.js').Frame} Frame */

const MOST_ROWS = 200; // else one for each name

/** @typedef {{node: number, name: string, label: string, value: number}} Thread of those of a name, its stacks */

const tree = data.threads || { estimated: false, kind: [], function: [], parent: [], self: [], members: { thread: [], number: [], samples: [] } };
export const hasThreads = tree.function.length > 0;
const sampleTime = data.tree?.sample_time === undefined ? data.sample_time : data.tree.sample_time;
const hasTime = sampleTime !== null;
/** @type {(parts: number) => number} */
const timeOf = (parts) => parts * (sampleTime || 0);

const totals = Float64Array.from(tree.self);
/** @type {number[][]} */
const below = tree.self.map(() => []);
for (let n = totals.length - 1; n >= 0; n--) if (tree.parent[n] >= 0) totals[tree.parent[n]] += totals[n];
tree.parent.forEach((parent, n) => below[parent]?.push(n));

/** The threads with the name of a root: their numbers in `members'. @type {Map<number, number[]>} */
const members = new Map();
tree.members.thread.forEach((name, m) => {
  if (!members.has(name)) members.set(name, []);
  members.get(name)?.push(m);
});

/** The names of threads, the largest first. */
const names = tree.parent.flatMap((parent, n) => (parent < 0 ? [{ node: n, name: tree.kind[n] === OTHERS ? '[others]' : (tree.names?.[tree.function[n]] ?? '[others]') }] : []));
/** @type {(of: {node: number, name: string}) => Thread[]} */
const threadsOf = ({ node, name }) => (members.get(tree.function[node]) || []).map((/** @type {number} */ m) => ({ node, name, label: `${name.replace(/ \(\d+ threads\)$/, '')} ${tree.members.number[m]}`, value: tree.members.samples[m] }));
/** @type {(of: {node: number, name: string}) => Thread} */
const together = ({ node, name }) => ({ node, name, label: name, value: totals[node] });
const isApart = names.length + tree.members.thread.length <= MOST_ROWS;
/** The largest first. */
const threads = names.flatMap((of) => (isApart && tree.kind[of.node] !== OTHERS && members.has(tree.function[of.node]) ? threadsOf(of) : [together(of)])).sort((a, b) => b.value - a.value);
const all = names.reduce((sum, { node }) => sum + totals[node], 0);
if (data.tree && hasThreads) data.tree.names = { ...data.tree.names, ...tree.names };
nameFunctions(tree);

// ---- One of them ----

let chosen = threads[0];

/** @param {number} n @param {Frame | null} parent @returns {Frame} */
function frameOf(n, parent) {
  /** @type {Frame[] | undefined} */
  let children;
  /** @type {Frame} */
  const frame = { kind: tree.kind[n], f: tree.function[n], value: totals[n], own: tree.self[n], before: null, changed: 0, parent, children: () => (children ??= below[n].map((child) => frameOf(child, frame))) };
  return frame;
}

/** Samples of the functions in the thread, by function id. @type {{self: Float64Array, total: Float64Array}} */
let figures = { self: new Float64Array(0), total: new Float64Array(0) };

/** Each stack counts once for a function, however often that is on it. */
function measure() {
  const self = new Float64Array(functionCount);
  const total = new Float64Array(functionCount);
  const onPath = new Uint32Array(functionCount);
  const path = [chosen.node];
  for (let n = chosen.node + 1; tree.parent[n] >= 0; n++) {
    for (; path[path.length - 1] !== tree.parent[n]; path.pop()) if (tree.kind[path[path.length - 1]] === FUNCTION) onPath[tree.function[path[path.length - 1]]] -= 1;
    path.push(n);
    if (tree.kind[n] !== FUNCTION) continue;
    const f = tree.function[n];
    self[f] += tree.self[n];
    if (onPath[f] === 0) total[f] += totals[n];
    onPath[f] += 1;
  }
  figures = { self, total };
}

// ---- The view ----

/** @param {number} value @param {number} whole */
const partOf = (value, whole) => share(value, whole) || 0;

/** @type {import('./rows.js').Column[]} */
const threadColumns = [
  { key: 'name', label: 'Thread', title: 'As the program has named it, and its number where several have the name', isText: true, value: (t) => threads[t].label, cell: (t) => h('a', { class: 'name', href: `#${new URLSearchParams({ threads: threads[t].label })}`, 'aria-current': threads[t] === chosen ? 'true' : null }, wrapped(cut(threads[t].label))) },
  { key: 'share', label: 'Time %', title: 'Share of the processor time of all threads', value: (t) => threads[t].value, cell: (t) => percent(partOf(threads[t].value, all)), bar: (t) => partOf(threads[t].value, all) },
  ...(hasTime ? [{ key: 'time', label: `Time ${unit}`, title: 'Processor time', value: (/** @type {number} */ t) => threads[t].value, cell: (/** @type {number} */ t) => time(timeOf(threads[t].value)) }] : []),
  { key: 'samples', label: 'Samples', title: 'How often the thread was interrupted', value: (t) => threads[t].value, cell: (t) => count(Math.round(threads[t].value)) },
];

/** @param {'self' | 'total'} which @param {string} name @returns {import('./rows.js').Column[]} */
function columnsOf(which, name) {
  /** @param {number} f */
  const value = (f) => figures[which][f];
  /** @param {number} f */
  const part = (f) => partOf(value(f), totals[chosen.node]);
  const columns = [{ key: `${which}%`, label: `${name} %`, title: 'Share of the time of this thread', value, cell: (/** @type {number} */ f) => percent(part(f)), bar: part }];
  return hasTime ? [...columns, { key: which, label: `${name} ${unit}`, title: which === 'self' ? 'Time in its own code' : 'Time with all that it calls', value, cell: (/** @type {number} */ f) => time(timeOf(value(f))) }] : columns;
}

const heading = h('h2', {});
const details = h('p', { class: 'status', role: 'status' });
/** @type {Rows} */
let list;
/** @type {Rows} */
let rows;
/** @type {Icicle} */
let icicle;

/** @param {Frame} frame */
function describe(frame) {
  const name = cut(nameOfFrame(frame));
  details.replaceChildren(frame.kind === FUNCTION ? h('a', { class: 'name', href: linkTo(frame.f), title: 'Its callers and callees' }, name) : name, ` ${figuresOf(frame, false)}`);
}

/** @returns {HTMLElement} */
function create() {
  list = new Rows({ label: 'Threads', columns: threadColumns, rows: threads.map((_, t) => t), sortKey: 'share', className: (t) => (threads[t] === chosen ? 'chosen' : '') });
  rows = new Rows({ label: 'Functions of the thread', columns: [{ key: 'name', label: 'Function', title: 'Its callers and callees', isText: true, cell: (f) => functionLink(f) }, ...columnsOf('self', 'Self'), ...columnsOf('total', 'Total')], rows: [] });
  icicle = new Icicle({ label: 'Call stacks of the thread', root: frameOf(chosen.node, null), describe });
  onNamesChanged(() => rows.draw(true));
  return h('div', { class: 'threads' }, list.element, heading, rows.element, details, icicle.element);
}

/** @param {URLSearchParams} parameters */
function show(parameters) {
  chosen = threads.find((thread) => [thread.label, thread.name].includes(parameters.get('threads') || '')) || threads[0];
  measure();
  /** @type {(parts: number) => string} */
  const amount = (parts) => (hasTime ? timeWithUnit(timeOf(parts)) : plural(Math.round(parts), 'sample'));
  const rest = chosen.label !== chosen.name ? `; functions and stacks are those of ${cut(chosen.name)}: ${amount(totals[chosen.node])}` : '';
  heading.textContent = `${cut(chosen.label)}: ${amount(chosen.value)}${rest}`;
  rows.sortKey = 'self%';
  rows.setRows(Array.from(figures.total.keys()).filter((f) => figures.total[f] > 0));
  list.draw(true);
  icicle.show(frameOf(chosen.node, null));
}

/** @type {import('./app.js').View} */
export const threadsView = { id: 'threads', title: 'Threads', create, show };

// stacks.js - call stacks as trees of frames: callees below callers, callers below callees, and both sides of one function.
// SPDX-License-Identifier: GPL-3.0-or-later

import { data, isSampled, functions, share } from './data.js';
import { count, plural, timeWithUnit } from './format.js';
import { isObject, nameOf, objectOf } from './app.js';

export const FUNCTION = 0;
const CYCLE = 1;
export const OTHERS = 2;
const NAMED = 3;

/**
 * A frame with its samples.  Its children are made when they are drawn.
 * @typedef {object} Frame
 * @property {number} kind
 * @property {number} f function id; of a cycle its number; of others how many they are, or 0
 * @property {number} value samples
 * @property {number} own samples of stacks that end with it
 * @property {number | null} before samples before, in a comparison of recorded stacks
 * @property {number} changed 1: slower than before, -1: faster, 0: that may be chance
 * @property {number} [levels] of direct recursion that are one frame
 * @property {Frame | null} parent the frame that it is drawn below
 * @property {() => Frame[]} children the largest first, others last
 *
 * Samples of stacks with a node of the tree.
 * @typedef {{node: number, weight: number}} Entry
 */

const tree = data.tree || { estimated: true, kind: [], function: [], parent: [], self: [] };
const sampleTime = tree.sample_time === undefined ? data.sample_time : tree.sample_time;
export const nodeCount = tree.function.length;
export const isEstimated = tree.estimated;
export const hasChanges = tree.before !== undefined;

const objects = new Map(functions.name.flatMap((name, f) => (functions.address[f] === null ? [[name, f]] : [])));

/**
 * Other objects have functions of their names if times are measured.
 * @param {import('./data.js').TreeColumns} columns
 */
export function nameFunctions(columns) {
  columns.kind.forEach((kind, n) => {
    const f = kind === NAMED ? objects.get(columns.names?.[columns.function[n]] || '') : undefined;
    if (f === undefined) return;
    columns.kind[n] = FUNCTION;
    columns.function[n] = f;
  });
}

nameFunctions(tree);

// ---- Frames ----

/** @typedef {{totals: Float64Array, start: Uint32Array, ids: Uint32Array}} Index children of node n: ids[start[n + 1]] to before ids[start[n + 2]]; of -1: the roots */

/** @type {Index | undefined} */
let index;

/** @returns {Index} */
function makeIndex() {
  const totals = Float64Array.from(tree.self);
  const start = new Uint32Array(nodeCount + 2);
  for (let n = nodeCount - 1; n >= 0; n--) {
    if (tree.parent[n] >= 0) totals[tree.parent[n]] += totals[n];
    start[tree.parent[n] + 2] += 1;
  }
  for (let n = 0; n <= nodeCount; n++) start[n + 1] += start[n];
  const ids = new Uint32Array(nodeCount);
  const next = start.slice();
  for (let n = 0; n < nodeCount; n++) ids[next[tree.parent[n] + 1]++] = n;
  return { totals, start, ids };
}

/** @param {number} n -1: the roots @returns {Entry[]} */
function entriesBelow(n) {
  const { totals, start, ids } = (index ??= makeIndex());
  return Array.from(ids.subarray(start[n + 1], start[n + 2]), (node) => ({ node, weight: totals[node] }));
}

/** @param {Entry} entry @returns {Entry[]} */
const entryAbove = ({ node, weight }) => (tree.parent[node] >= 0 ? [{ node: tree.parent[node], weight }] : []);

/** @param {Entry[]} entries @param {boolean} isUp children are callers @param {Frame} parent @param {boolean} [isFolded] @returns {Frame[]} */
function framesOf(entries, isUp, parent, isFolded) {
  /** @type {Map<number, Entry[]>} */
  const groups = new Map();
  for (const entry of entries) {
    const kind = tree.kind[entry.node];
    const key = kind === OTHERS ? kind : tree.function[entry.node] * 4 + kind;
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return Array.from(groups.values(), (group) => (isFolded ? foldedFrame(group, isUp, parent) : frameOf(group, isUp, parent))).sort((a, b) => Number(a.kind === OTHERS) - Number(b.kind === OTHERS) || b.value - a.value);
}

/**
 * The frames that are drawn below a frame: its children, of which those with less than LEAST samples are one frame,
 * into which one can zoom.
 * @param {Frame} frame
 * @param {number} least
 * @returns {Frame[]}
 */
export function shownChildren(frame, least) {
  const children = frame.children();
  const end = children.findIndex((child) => child.kind === OTHERS || child.value < least);
  if (end === 0 && frame.kind === OTHERS) return [];
  const rest = end < 0 ? [] : children.slice(end);
  const f = rest.reduce((sum, child) => sum + (child.kind === OTHERS ? child.f : 1), 0);
  const value = rest.reduce((sum, child) => sum + child.value, 0);
  const others = rest.length > 1 ? [{ kind: OTHERS, f, value, own: 0, before: null, changed: 0, parent: frame, children: () => rest }] : rest;
  const shown = children.slice(0, children.length - rest.length).concat(value >= least ? others : []);
  for (const child of shown) child.parent = frame;
  return shown;
}

/** @param {Entry[]} group @param {boolean} isUp */
const ownOf = (group, isUp) => group.reduce((sum, entry) => sum + (!isUp ? tree.self[entry.node] : tree.parent[entry.node] < 0 ? entry.weight : 0), 0);

/** @param {Entry[]} group @param {boolean} isUp */
const entriesBeside = (group, isUp) => group.flatMap(isUp ? entryAbove : (entry) => entriesBelow(entry.node));

/** @param {Entry[]} group of one function @param {boolean} isUp @param {Frame | null} parent @returns {Frame} */
function frameOf(group, isUp, parent) {
  const { node } = group[0];
  const value = group.reduce((sum, entry) => sum + entry.weight, 0);
  const own = ownOf(group, isUp);
  const f = tree.kind[node] === OTHERS ? group.reduce((sum, entry) => sum + tree.function[entry.node], 0) : tree.function[node];
  /** @type {Frame} */
  const frame = { kind: tree.kind[node], f, value, own, parent, ...changeOf(group, isUp), children: () => [] };
  frame.children = once(() => framesOf(entriesBeside(group, isUp), isUp, frame));
  return frame;
}

/**
 * A frame of a function with all levels of its direct recursion, as --tree has it.
 * @param {Entry[]} group of one function
 * @param {boolean} isUp
 * @param {Frame | null} parent
 * @returns {Frame}
 */
function foldedFrame(group, isUp, parent) {
  const frame = frameOf(group, isUp, parent);
  const rest = /** @type {Entry[]} */ ([]);
  for (let level = group, levels = 1; level.length > 0; levels++) {
    const next = entriesBeside(level, isUp);
    level = [];
    for (const entry of next) (frame.kind === FUNCTION && isOf(entry.node, frame.f) ? level : rest).push(entry);
    frame.own += ownOf(level, isUp);
    frame.levels = levels;
  }
  frame.children = once(() => framesOf(rest, isUp, frame, true));
  return frame;
}

/** Several nodes, of folded stacks, have changed as those of them have that did. @param {Entry[]} group @param {boolean} isUp */
function changeOf(group, isUp) {
  const { before, changed } = tree;
  if (!before || !changed || isUp) return { before: null, changed: 0 };
  const sum = group.some(({ node }) => before[node] === null) ? null : group.reduce((n, { node }) => n + Number(before[node]), 0);
  const change = group.reduce((n, { node, weight }) => n + (changed[node] ? weight - Number(before[node]) : 0), 0);
  return { before: sum, changed: group.length === 1 ? changed[group[0].node] : Math.sign(change) };
}

/** @template T @param {() => T} make */
function once(make) {
  /** @type {T | undefined} */
  let made;
  return () => (made ??= make());
}

/** All samples of stacks. */
const allOfTree = once(() => tree.self.reduce((sum, n) => sum + n, 0));

/**
 * All stacks: from their first callers down or, if IS_UP, from the functions that run back to their callers.  Direct
 * recursion is one frame.
 * @param {boolean} isUp
 * @returns {Frame}
 */
export function rootOf(isUp) {
  /** @type {Frame} */
  const root = { kind: -1, f: -1, value: allOfTree(), own: 0, before: null, changed: 0, parent: null, children: () => [] };
  root.children = once(() => framesOf(isUp ? tree.self.map((weight, node) => ({ node, weight })).filter((entry) => entry.weight > 0) : entriesBelow(-1), isUp, root, true));
  return root;
}

/** @param {number} n @param {number} f */
const isOf = (n, f) => tree.kind[n] === FUNCTION && tree.function[n] === f;

/**
 * The stacks with F, each once however often F is on it: what its first call leads to, and the callers of that.  Of
 * another object, which most stacks begin in, those that end in it.  Null if none is shown.
 * @param {number} f
 */
export function framesAround(f) {
  const isBelow = new Uint8Array(nodeCount);
  const entries = [];
  const { totals } = (index ??= makeIndex());
  for (let n = 0; n < nodeCount; n++) {
    const isIn = tree.parent[n] >= 0 && isBelow[tree.parent[n]] === 1;
    if (isOf(n, f) && (isObject(f) || !isIn)) entries.push({ node: n, weight: isObject(f) ? tree.self[n] : totals[n] });
    isBelow[n] = Number(isIn || isOf(n, f));
  }
  const above = entries.length > 0 ? frameOf(entries, true, null) : null;
  return above && { above, below: isObject(f) ? { ...above, own: 0, children: () => [] } : frameOf(entries, false, null) };
}

/**
 * Functions of the program with the time of other objects, or of object F alone, that they were the last to call.
 * @param {number} [f]
 * @returns {[number, number][]} the most first
 */
export function objectTimes(f) {
  /** @type {Map<number, number>} */
  const times = new Map();
  const callers = new Int32Array(nodeCount);
  for (let n = 0; n < nodeCount; n++) {
    const isOther = tree.kind[n] === FUNCTION && objectOf(tree.function[n]) !== null;
    callers[n] = tree.kind[n] === FUNCTION && !isOther ? tree.function[n] : tree.parent[n] >= 0 ? callers[tree.parent[n]] : -1;
    if (isOther && callers[n] >= 0 && tree.self[n] > 0 && (f === undefined || isOf(n, f))) times.set(callers[n], (times.get(callers[n]) || 0) + tree.self[n] * (sampleTime || 0));
  }
  return Array.from(times).sort((a, b) => b[1] - a[1]);
}

/**
 * The share of the time in stacks with a function that matches.
 * @param {(name: string) => boolean} matches
 */
export function shareOfMatches(matches) {
  let sum = 0;
  const isMatch = functions.name.map((name) => matches(name));
  const isBelow = new Uint8Array(nodeCount);
  for (let n = 0; n < nodeCount; n++) {
    isBelow[n] = Number((tree.parent[n] >= 0 && isBelow[tree.parent[n]]) || (tree.kind[n] === FUNCTION ? isMatch[tree.function[n]] : tree.kind[n] === NAMED && matches(tree.names?.[tree.function[n]] || '')));
    if (isBelow[n]) sum += tree.self[n];
  }
  return share(sum, allOfTree()) || 0;
}

// ---- Names and figures ----

/** @param {Frame} frame */
export function nameOfFrame(frame) {
  if (frame.kind === FUNCTION) return nameOf(frame.f) + ((frame.levels || 1) > 1 ? ` ×${frame.levels}` : '');
  if (frame.kind === CYCLE) return `[cycle ${frame.f}]`;
  if (frame.kind === NAMED) return tree.names?.[frame.f] || '';
  if (frame.kind === OTHERS) return frame.f > 0 ? `[${count(frame.f)} others]` : '[others]';
  return 'all';
}

/** @param {Frame} frame */
export const searchedName = (frame) => (frame.kind === FUNCTION ? functions.name[frame.f] : frame.kind === NAMED ? nameOfFrame(frame) : '');

/** The name in addresses of the page; null for others, which depend on how wide the page is. @param {Frame} frame */
export const addressedName = (frame) => (frame.kind === FUNCTION ? functions.name[frame.f] : frame.kind === OTHERS ? null : nameOfFrame(frame));

/** @param {Frame} frame */
export const shareOfFrame = (frame) => share(frame.value, allOfTree()) || 0;

/** @param {Frame} frame */
function beforeOf(frame) {
  if (frame.before === null) return frame.changed ? '; a significant change, together with its clones' : '';
  const before = sampleTime === null ? plural(Math.round(frame.before), 'sample') : timeWithUnit(frame.before * sampleTime);
  return `; before ${before}, ${frame.changed ? 'which is a significant change' : 'which may be chance'}`;
}

/** @param {Frame} frame @param {boolean} isUp */
export function figuresOf(frame, isUp) {
  const whole = sampleTime === null ? '' : `${isEstimated ? '≈\u00a0' : ''}${timeWithUnit(frame.value * sampleTime)}, `;
  const own = frame.own > 0 && !isUp && frame.kind !== OTHERS ? `, ${count(Math.round(frame.own))} of them its own` : '';
  return `${whole}${shareOfFrame(frame).toFixed(1)}\u00a0%${isSampled ? `, ${plural(Math.round(frame.value), 'sample')}${own}` : ''}${beforeOf(frame)}`;
}

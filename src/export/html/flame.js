// flame.js - call stacks as an icicle: width is time, callees below their callers, or the other way round.
// SPDX-License-Identifier: GPL-3.0-or-later

import { data, functions, share } from './data.js';
import { count, cut, plural, timeWithUnit } from './format.js';
import { h, oncePerFrame } from './dom.js';
import { linkTo, matcherOf, nameOf, onNamesChanged } from './app.js';

/** @param {Frame} frame */
const searchedName = (frame) => (frame.kind === FUNCTION ? functions.name[frame.f] : frame.kind === NAMED ? nameOfFrame(frame) : '');

const LEAST_WIDTH = 2; // pixels; narrower frames are not drawn
const MOST_FRAMES = 6000;
const COLOURS = 8;
const FUNCTION = 0;
const CYCLE = 1;
const NAMED = 3;

/**
 * A frame with its samples.  Its children are made when they are drawn.
 * @typedef {object} Frame
 * @property {number} kind
 * @property {number} f function id; of a cycle its number
 * @property {number} value samples
 * @property {number} own samples of it alone
 * @property {Frame | null} parent
 * @property {() => Frame[]} children the largest first
 */

const tree = data.tree || { estimated: true, kind: [], function: [], parent: [], self: [] };
const sampleTime = tree.sample_time === undefined ? data.sample_time : tree.sample_time;
const nodeCount = tree.function.length;

// ---- Callees below callers ----

/** @type {{totals: Float64Array, start: Uint32Array, ids: Uint32Array} | undefined} */
let index;

function indexTree() {
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

/** @param {number} n node @param {Frame} parent @returns {Frame} */
function topDownFrame(n, parent) {
  /** @type {Frame} */
  const frame = { kind: tree.kind[n], f: tree.function[n], value: /** @type {NonNullable<typeof index>} */ (index).totals[n], own: tree.self[n], parent, children: () => [] };
  frame.children = once(() => topDownChildren(n, frame));
  return frame;
}

/** @param {number} n -1: the roots @param {Frame} frame */
function topDownChildren(n, frame) {
  index ??= indexTree();
  return Array.from(index.ids.subarray(index.start[n + 1], index.start[n + 2]), (child) => topDownFrame(child, frame)).sort((a, b) => b.value - a.value);
}

// ---- Callers below callees ----

/** @typedef {{node: number, weight: number}} Entry the samples of a stack, and how far up it the frame is */

/** @param {Entry[]} entries @param {Frame} parent @returns {Frame[]} */
function bottomUpFrames(entries, parent) {
  /** @type {Map<number, Entry[]>} */
  const groups = new Map();
  for (const entry of entries) {
    const key = tree.function[entry.node] * 4 + tree.kind[entry.node];
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return Array.from(groups.values(), (group) => bottomUpFrame(group, parent)).sort((a, b) => b.value - a.value);
}

/** @param {Entry[]} group @param {Frame} parent @returns {Frame} */
function bottomUpFrame(group, parent) {
  const { node } = group[0];
  const value = group.reduce((sum, entry) => sum + entry.weight, 0);
  const above = group.filter((entry) => tree.parent[entry.node] >= 0).map((entry) => ({ node: tree.parent[entry.node], weight: entry.weight }));
  const own = value - above.reduce((sum, entry) => sum + entry.weight, 0);
  /** @type {Frame} */
  const frame = { kind: tree.kind[node], f: tree.function[node], value, own, parent, children: () => [] };
  frame.children = once(() => bottomUpFrames(above, frame));
  return frame;
}

/** @template T @param {() => T} make */
function once(make) {
  /** @type {T | undefined} */
  let made;
  return () => (made ??= make());
}

/** @param {boolean} isBottomUp @returns {Frame} */
function rootOf(isBottomUp) {
  const value = tree.self.reduce((sum, n) => sum + n, 0);
  /** @type {Frame} */
  const root = { kind: -1, f: -1, value, own: 0, parent: null, children: () => [] };
  root.children = once(() => {
    if (!isBottomUp) return topDownChildren(-1, root);
    const entries = tree.self.map((weight, node) => ({ node, weight })).filter((entry) => entry.weight > 0);
    return bottomUpFrames(entries, root);
  });
  return root;
}

// ---- Names and figures ----

/** @param {Frame} frame */
function nameOfFrame(frame) {
  if (frame.kind === FUNCTION) return nameOf(frame.f);
  if (frame.kind === CYCLE) return `[cycle ${frame.f}]`;
  if (frame.kind === NAMED) return tree.names?.[frame.f] || '';
  return frame.kind < 0 ? 'all' : '[others]';
}

/** @param {Frame} frame */
function figuresOf(frame) {
  const part = share(frame.value, tree.self.length ? root.value : 0) || 0;
  const whole = sampleTime === null ? '' : `${tree.estimated ? '≈\u00a0' : ''}${timeWithUnit(frame.value * sampleTime)}, `;
  return `${whole}${part.toFixed(1)}\u00a0%, ${plural(Math.round(frame.value), 'sample')}${frame.own > 0 && !isBottomUp ? `, ${count(Math.round(frame.own))} of them its own` : ''}`;
}

/** @param {Frame} frame */
function colourOf(frame) {
  if (frame.kind !== FUNCTION) return 'frame other';
  let hash = 0;
  const name = functions.name[frame.f];
  for (let i = 0; i < Math.min(name.length, 64); i++) hash = (hash * 31 + name.charCodeAt(i)) % 65521;
  return `frame colour-${hash % COLOURS}`;
}

// ---- The drawing ----

let isBottomUp = false;
let root = rootOf(false);
let zoomed = root;
let focused = root;
let search = '';
/** @type {Map<Frame, HTMLElement>} */
let drawn = new Map();
const canvas = h('div', { class: 'icicle', role: 'tree', 'aria-label': 'Call stacks' });
const details = h('p', { class: 'status', role: 'status' });
const found = h('span', { class: 'quiet', role: 'status' });
const back = h('button', { type: 'button', onclick: () => zoomTo(zoomed.parent || root) }, 'Zoom out');

/** @param {Frame} frame */
function describe(frame) {
  const link = frame.kind === FUNCTION ? h('a', { class: 'name', href: linkTo(frame.f) }, cut(nameOfFrame(frame))) : nameOfFrame(frame);
  details.replaceChildren(link, ` ${figuresOf(frame)}`);
}

/** @param {Frame} frame */
function zoomTo(frame) {
  zoomed = frame;
  focused = frame;
  draw();
  drawn.get(frame)?.focus();
}

/** @param {Frame} frame @param {number} level @param {number} left @param {number} width @param {boolean} isDim */
function drawFrame(frame, level, left, width, isDim) {
  const name = nameOfFrame(frame);
  const label = width > 24 ? cut(name) : '';
  const element = h('div', { class: colourOf(frame), role: 'treeitem', 'aria-level': level + 1, 'aria-label': `${name.slice(0, 300)}, ${figuresOf(frame)}`, tabindex: -1, title: `${name.slice(0, 1000)}\n${figuresOf(frame)}` }, label);
  element.style.left = `${left}px`;
  element.style.width = `${Math.max(1, width - 1)}px`;
  element.style.top = `calc(${level} * var(--frame-height))`;
  if (isDim) element.classList.add('dim');
  if (frame === zoomed) element.classList.add('zoomed');
  element.addEventListener('click', () => zoomTo(frame));
  element.addEventListener('pointerenter', () => describe(frame));
  element.addEventListener('focus', () => {
    focused = frame;
    describe(frame);
  });
  drawn.set(frame, element);
  return element;
}

/** @returns {Frame[]} from the root down to the frame that is zoomed */
function pathToZoomed() {
  const path = [];
  for (let frame = /** @type {Frame | null} */ (zoomed); frame; frame = frame.parent) path.unshift(frame);
  return path;
}

function draw() {
  const width = canvas.clientWidth;
  const matches = matcherOf(search);
  /** @param {Frame} frame */
  const isDim = (frame) => matches !== null && !matches(searchedName(frame));
  const path = pathToZoomed();
  drawn = new Map();
  const elements = path.map((frame, level) => drawFrame(frame, level, 0, width, isDim(frame)));
  let row = [{ frame: zoomed, left: 0 }];
  const scale = zoomed.value > 0 ? width / zoomed.value : 0;
  let level = path.length;
  for (; row.length > 0 && elements.length < MOST_FRAMES; level++) {
    const next = [];
    for (const { frame, left } of row) {
      let x = left;
      for (const child of frame.children()) {
        if (child.value * scale < LEAST_WIDTH) break;
        elements.push(drawFrame(child, level, x, child.value * scale, isDim(child)));
        next.push({ frame: child, left: x });
        x += child.value * scale;
      }
    }
    row = next;
  }
  canvas.replaceChildren(...elements);
  canvas.style.height = `calc(${level} * var(--frame-height))`;
  drawn.get(zoomed)?.setAttribute('tabindex', '0');
  back.disabled = zoomed === root;
  describe(focused);
  showFound(matches);
}

/** @param {((text: string) => boolean) | null} matches */
function showFound(matches) {
  if (!matches) {
    found.textContent = '';
    return;
  }
  let sum = 0;
  const isMatch = functions.name.map((name) => matches(name));
  const isBelow = new Uint8Array(nodeCount);
  for (let n = 0; n < nodeCount; n++) {
    isBelow[n] = Number((tree.parent[n] >= 0 && isBelow[tree.parent[n]]) || (tree.kind[n] === FUNCTION ? isMatch[tree.function[n]] : tree.kind[n] === NAMED && matches(tree.names?.[tree.function[n]] || '')));
    if (isBelow[n]) sum += tree.self[n];
  }
  found.textContent = `in ${(share(sum, root.value) || 0).toFixed(1)}\u00a0% of the time`;
}

// ---- Keys ----

/** @param {Frame} frame @param {number} step */
function sibling(frame, step) {
  const siblings = (frame.parent?.children() || []).filter((other) => drawn.has(other));
  return siblings[siblings.indexOf(frame) + step];
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  /** @type {Record<string, () => Frame | null | undefined>} */
  const moves = { ArrowUp: () => focused.parent, ArrowDown: () => focused.children().find((child) => drawn.has(child)), ArrowLeft: () => sibling(focused, -1), ArrowRight: () => sibling(focused, 1), Home: () => root };
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === 'Enter' || event.key === ' ') zoomTo(focused);
  else if (event.key === 'Escape' && zoomed.parent) zoomTo(zoomed.parent);
  else if (moves[event.key]) drawn.get(moves[event.key]() || focused)?.focus();
  else return;
  event.preventDefault();
}

// ---- The view ----

/** @param {boolean} wanted */
function turn(wanted) {
  isBottomUp = wanted;
  root = rootOf(wanted);
  zoomed = root;
  focused = root;
  draw();
}

function directionChoice() {
  const choices = [
    { text: 'callees below', value: false },
    { text: 'callers below', value: true },
  ];
  return h('fieldset', { class: 'choice' }, h('legend', {}, 'Direction'), choices.map(({ text, value }) => h('label', {}, h('input', { type: 'radio', name: 'direction', checked: value === isBottomUp, onchange: () => turn(value) }), ` ${text}`)));
}

function searchField() {
  const field = h('input', { type: 'search', id: 'stack-search', autocomplete: 'off', spellcheck: 'false', placeholder: 'words, or /expression/' });
  field.addEventListener('input', () => {
    search = field.value;
    draw();
  });
  return h('label', {}, 'Highlight: ', field);
}

function originNote() {
  return tree.estimated
    ? h('p', { class: 'note' }, h('span', { class: 'badge estimated' }, 'estimated from call counts'), ' The profile holds calls from function to function, not stacks. Time is divided among callers by their numbers of calls; own times are measured.')
    : h('p', { class: 'note' }, h('span', { class: 'badge good' }, 'recorded'), ' These stacks were recorded while the program ran.');
}

/** @returns {HTMLElement} */
function create() {
  canvas.addEventListener('keydown', onKey);
  onNamesChanged(draw);
  new ResizeObserver(oncePerFrame(draw)).observe(canvas);
  return h('div', { class: 'flame' }, originNote(), h('div', { class: 'controls', role: 'group', 'aria-label': 'Stacks' }, directionChoice(), searchField(), found, back), details, canvas, h('p', { class: 'quiet note' }, 'Width is time. Click a function, or press Enter, to zoom; Escape zooms out; arrow keys walk.'));
}

/** @type {import('./app.js').View} */
export const flame = { id: 'flame', title: 'Flame graph', create, show: draw };

export const hasStacks = nodeCount > 0;

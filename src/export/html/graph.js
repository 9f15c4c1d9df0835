// graph.js - one function with its callers and callees, and its stacks.
// SPDX-License-Identifier: GPL-3.0-or-later

import { about, data, functions, byImportance, callersOf, calleesOf, arcTime, callerTime, errorOf, isDoubtful, isInsideCycle, selfShare, share, totalShare } from './data.js';
import { count, cut, plural, roughPercent, time, timeWithUnit } from './format.js';
import { bar, h, oncePerFrame, wrapped } from './dom.js';
import { framesAround, objectTimes } from './stacks.js';
import { Icicle, coloursNote, described, showFunction } from './icicle.js';
import { mostChanged } from './compare.js';
import { originNote } from './flame.js';
import { functionLink, functionOf, hasCalls, hasCounts, hasTimes, isObject, isOutside, nameOf, noteOf, onNamesChanged } from './app.js';

const FIRST_SHOWN = 12;
const MORE_SHOWN = 100;

const place = h('div', { class: 'graph' });
let shown = -1;

/** The time that the edges are a part of; 0 if there is none. @param {number} f */
function wholeOf(f) {
  const sum = callersOf(f).reduce((n, arc) => n + callerTime(arc), 0);
  return Math.max(functions.total[f] || 0, functions.self[f] || 0, sum);
}

// ---- Callers and callees ----

/**
 * A function beside the one in the middle.
 * @typedef {object} Neighbour
 * @property {number} f
 * @property {number} part percentage of the time of the one in the middle
 * @property {string[]} figures
 */

/** @param {number} arc @param {number} f @param {boolean} isCaller */
function callsText(arc, f, isCaller) {
  const calls = data.arcs.calls[arc];
  const callee = isCaller ? f : data.arcs.to[arc];
  if (!hasCounts) return '';
  if (Number(calls) === 0) return arcTime(arc) > 0 ? 'calls not counted' : 'never called';
  const all = functions.calls[callee];
  return String(all) === String(calls) ? (Number(calls) === 1 ? 'its only call' : `all ${count(calls)} calls`) : `${count(calls)} of ${plural(all ?? 0, 'call')}`;
}

/** @param {number} charged @param {number} whole */
function timeText(charged, whole) {
  const part = share(charged, whole);
  return `${about}${timeWithUnit(charged)}${part === null ? '' : `, ${part.toFixed(1)}\u00a0%`}`;
}

/** @param {number} f @param {boolean} isCaller @param {number} whole @returns {Neighbour[]} */
function neighboursOf(f, isCaller, whole) {
  return (isCaller ? callersOf(f) : calleesOf(f)).map((arc) => {
    const charged = isCaller ? callerTime(arc) : arcTime(arc);
    const isInside = isInsideCycle(arc);
    const text = isInside ? `inside cycle ${functions.cycle[f]}` : hasTimes ? timeText(charged, whole) : '';
    return { f: isCaller ? data.arcs.from[arc] : data.arcs.to[arc], part: isInside ? 0 : share(charged, whole) || 0, figures: [text, callsText(arc, f, isCaller)] };
  });
}

/** The functions of the program that another object works for. @param {number} f @returns {Neighbour[]} */
const callersOfObject = (f) => objectTimes(f).map(([caller, own]) => ({ f: caller, part: share(own, functions.self[f]) || 0, figures: [timeText(own, functions.self[f] || 0)] }));

/** @param {number} f @param {boolean} isCaller */
function noneText(f, isCaller) {
  if (isObject(f)) return isCaller ? 'No stack shows a caller.' : 'What is inside it is not known.';
  if (isCaller && isOutside(f)) return 'It stands for all callers that are not in the program, such as shared objects: the profile does not name them.';
  if (isCaller) return `No caller is known: it is where the program or a thread starts${hasCounts ? ', or it was called by code that does not count calls' : ''}.`;
  return hasCounts ? 'It calls no function that counts calls.' : 'No stack shows a call by it.';
}

/** @param {Neighbour} neighbour */
const item = ({ f, part, figures }) => h('li', { class: 'neighbour', 'data-share': part }, functionLink(f), bar(part), h('span', { class: 'figures' }, figures.filter(Boolean).map((text) => h('span', {}, text))));

/**
 * One side of the graph: a list of which the first items are shown at once, and the others on demand.
 * @param {number} f @param {boolean} isCaller @param {number} whole @param {() => void} redraw
 */
function side(f, isCaller, whole, redraw) {
  const entries = isObject(f) ? (isCaller ? callersOfObject(f) : []) : neighboursOf(f, isCaller, whole);
  const title = isCaller ? 'Callers' : 'Callees';
  const list = h('ul', {});
  const more = h('button', { type: 'button', class: 'more' });
  const add = (/** @type {number} */ most) => {
    const end = list.children.length;
    list.append(...entries.slice(end, end + most).map(item));
    more.textContent = `Show more of the other ${count(entries.length - list.children.length)}`;
    more.hidden = list.children.length === entries.length;
  };
  more.addEventListener('click', () => {
    add(MORE_SHOWN);
    redraw();
  });
  add(FIRST_SHOWN);
  const heading = isObject(f) && isCaller ? 'Functions of the program that call it, also through other objects' : title;
  return h('section', { class: isCaller ? 'side callers' : 'side callees', 'aria-label': title }, h('h2', { class: 'small' }, `${heading} (${count(entries.length)})`), entries.length === 0 ? h('p', { class: 'quiet' }, noneText(f, isCaller)) : [list, more]);
}

// ---- The graph ----

/**
 * Cuts the edges of one side out of their place.  They are as wide as their part of the time.
 * @param {HTMLElement} edges @param {Element} list @param {DOMRect} node @param {boolean} isCaller
 */
function drawEdges(edges, list, node, isCaller) {
  const frame = edges.getBoundingClientRect();
  const [far, near, between] = isCaller ? [0, frame.width, frame.width / 2] : [frame.width, 0, frame.width / 2];
  let used = 0;
  const paths = Array.from(list.querySelectorAll('.neighbour'), (neighbour) => {
    const box = neighbour.getBoundingClientRect();
    const part = (Number(neighbour.getAttribute('data-share')) * node.height) / 100;
    const width = Math.max(1, part);
    const half = Math.min(width, box.height) / 2;
    const y = box.top + box.height / 2 - frame.top;
    const top = Math.min(node.top + used, node.bottom - width) - frame.top;
    used += part;
    return `M${far} ${y - half}C${between} ${y - half} ${between} ${top} ${near} ${top}V${top + width}C${between} ${top + width} ${between} ${y + half} ${far} ${y + half}Z`;
  });
  edges.style.clipPath = `path("${paths.join('') || 'M0 0'}")`;
}

/**
 * Callers, the function, callees, and what flows from one to the other.
 * @param {number} f @param {number} whole
 */
function pictureOf(f, whole) {
  const node = h('div', { class: 'node', 'aria-hidden': 'true' }, h('span', { class: 'name' }, cut(nameOf(f))), hasTimes ? [h('span', {}, `own ${roughPercent(share(functions.self[f], whole))}`)] : null);
  const edges = [true, false].map(() => h('div', { class: 'edges', 'aria-hidden': 'true' }));
  const redraw = oncePerFrame(() => {
    const box = node.getBoundingClientRect();
    if (box.height > 0) sides.forEach((list, i) => drawEdges(edges[i], list, box, i === 0));
  });
  const sides = [true, false].map((isCaller) => side(f, isCaller, whole, redraw));
  const all = h('div', { class: 'sides' }, sides[0], edges[0], node, edges[1], sides[1]);
  new ResizeObserver(redraw).observe(all);
  return all;
}

// ---- The middle ----

/** @param {number} f */
function ownFigure(f) {
  const error = errorOf(f);
  return `${timeWithUnit(functions.self[f])}${error === null ? '' : ` ±\u00a0${time(error)}`}${isDoubtful(f) ? ' ?' : ''} (${(selfShare(f) || 0).toFixed(1)}\u00a0%)`;
}

/** @param {number} f */
function inclusiveFigure(f) {
  const [least, most] = [functions.least[f], functions.most[f]];
  const known = `${timeWithUnit(functions.total[f])} (${(totalShare(f) || 0).toFixed(1)}\u00a0%)`;
  if (least === null || most === null) return about + known;
  return time(least) === time(most) ? `${known}, known exactly but for sampling` : `≈\u00a0${known}; surely between ${time(least)} and ${timeWithUnit(most)}`;
}

/** @param {number} f */
function cycleMembers(f) {
  const cycle = functions.cycle[f];
  if (cycle === null) return null;
  const members = data.cycles[cycle - 1].members.filter((member) => member !== f);
  const links = members.slice(0, 8).flatMap((member, i) => [i > 0 ? ', ' : '', functionLink(member)]);
  return h('p', {}, `In cycle ${cycle}, functions that call each other, with `, ...links, members.length > 8 ? ` and ${members.length - 8} more` : '', '. Total, least and most are those of the whole cycle.');
}

/** @param {number} f @param {number} whole */
function middle(f, whole) {
  const rows = [
    nameOf(f) !== functions.name[f] ? ['Full name', functions.name[f]] : null,
    hasTimes ? ['Own time', ownFigure(f)] : null,
    hasTimes && hasCalls && functions.total[f] !== null && !isObject(f) ? ['With callees', inclusiveFigure(f)] : null,
    isObject(f) || !hasCounts ? null : ['Calls', Number(functions.calls[f]) === 0 ? 'none counted' : count(functions.calls[f])],
    Number(functions.self_calls[f]) > 0 ? ['Calls to itself', count(functions.self_calls[f])] : null,
    functions.file[f] ? ['Source', `${functions.file[f]}${functions.line[f] ? `:${functions.line[f]}` : ''}`] : null,
  ].filter((row) => row !== null);
  const list = h('dl', { class: 'across' }, rows.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
  const own = share(functions.self[f], whole);
  return h('section', { class: 'middle', 'aria-label': 'Function' }, h('h2', { class: 'name', tabindex: -1, id: 'function' }, wrapped(nameOf(f)), h('span', { class: 'quiet' }, noteOf(f))), hasTimes ? bar(own) : null, list, cycleMembers(f), sourceLink(f));
}

/** @param {number} f */
function sourceLink(f) {
  const file = functions.file[f];
  if (!file || !data.sources.some((source) => source.path === file)) return null;
  return h('p', {}, h('a', { href: `#${new URLSearchParams({ source: file, line: String(functions.line[f] || 0) })}` }, 'Show its source'));
}

// ---- The sandwich ----

const details = h('p', { class: 'status', role: 'status' });

/** @param {string} label @param {boolean} isUp */
const half = (label, isUp) => new Icicle({ label, isUp, isStanding: isUp, choose: showFunction, describe: (frame) => details.replaceChildren(...described(frame, isUp)) });
const upper = half('Stacks that lead to it', true);
const lower = half('Stacks below it', false);
const above = h('div', { class: 'above' }, upper.element);
const below = h('div', { class: 'below' }, lower.element);

/**
 * All stacks that lead to F, above all that it leads to; of another object those that end there.
 * @param {number} f
 */
function sandwich(f) {
  const around = framesAround(f);
  if (!around || around.below.value <= 0) return null;
  above.hidden = around.above.children().length === 0;
  requestAnimationFrame(() => {
    upper.show(around.above);
    lower.show(around.below);
    above.scrollTop = above.scrollHeight;
  });
  return h('section', { class: 'sandwich', 'aria-label': 'Stacks' }, h('h2', { class: 'small' }, isObject(f) ? 'All stacks that end in it: what called it above' : 'All stacks with it: its callers above, what it calls below'), originNote(), details, above, below, h('p', { class: 'quiet note' }, 'Width is time. Click a function, or press Enter, to put it in the middle; arrow keys walk.'), coloursNote(false));
}

// ---- The view ----

/** @param {number} f */
function draw(f) {
  const whole = wholeOf(f);
  const centre = middle(f, whole);
  const estimate = hasTimes && hasCalls && !data.measured ? h('p', { class: 'quiet note' }, '≈ is estimated from call counts: gprof assumes that all calls of a function cost the same. Numbers of calls are exact; own times are measured.') : null;
  place.replaceChildren(...[centre, pictureOf(f, whole), sandwich(f), estimate].filter((part) => part !== null));
}

/** @param {URLSearchParams} parameters */
function show(parameters) {
  const wanted = parameters.has('f') ? functionOf(parameters) : mostChanged() >= 0 ? mostChanged() : (byImportance()[0] ?? -1);
  if (wanted < 0) {
    shown = -1;
    place.replaceChildren(h('p', { class: 'empty' }, parameters.has('f') ? `The profile has no function “${cut(parameters.get('f') || '')}”.` : 'The profile has no functions.'));
    return;
  }
  const isWalk = shown >= 0 && shown !== wanted;
  shown = wanted;
  draw(wanted);
  if (isWalk) document.getElementById('function')?.focus({ preventScroll: true });
}

/** @returns {HTMLElement} */
function create() {
  onNamesChanged(() => shown >= 0 && draw(shown));
  return place;
}

/** @type {import('./app.js').View} */
export const graph = { id: 'graph', title: 'Call graph', create, show };

// graph.js - one function in the middle, its callers on the left, its callees on the right.
// SPDX-License-Identifier: GPL-3.0-or-later

import { about, data, functions, byImportance, callersOf, calleesOf, arcTime, callerTime, errorOf, heaviestPath, isDoubtful, isInsideCycle, selfShare, share, totalShare } from './data.js';
import { count, cut, plural, time, timeWithUnit } from './format.js';
import { bar, h, oncePerFrame, svg } from './dom.js';
import { functionLink, functionOf, hasCalls, hasTimes, nameOf, noteOf, onNamesChanged } from './app.js';

const FIRST_SHOWN = 12;
const MORE_SHOWN = 100;
const FULL_HEIGHT = 180; // pixels of a ribbon that carries all time of the function

const place = h('div', { class: 'graph' });
let shown = -1;
/** @type {() => void} */
let drawRibbons = () => {};

/** All that the bars and ribbons around F are a part of: 0 if there is no time. */
/** @param {number} f */
function wholeOf(f) {
  const sum = callersOf(f).reduce((n, arc) => n + callerTime(arc), 0);
  return Math.max(functions.total[f] || 0, functions.self[f] || 0, sum);
}

// ---- Callers and callees ----

/** @param {number} arc @param {number} f @param {boolean} isCaller */
function callsText(arc, f, isCaller) {
  const calls = data.arcs.calls[arc];
  const callee = isCaller ? f : data.arcs.to[arc];
  if (Number(calls) === 0) return arcTime(arc) > 0 ? 'calls not counted' : 'never called';
  const all = functions.calls[callee];
  return String(all) === String(calls) ? (Number(calls) === 1 ? 'its only call' : `all ${count(calls)} calls`) : `${count(calls)} of ${plural(all, 'call')}`;
}

/** @param {number} arc @param {number} charged @param {number} whole */
function timeText(arc, charged, whole) {
  if (isInsideCycle(arc)) return `inside cycle ${functions.cycle[data.arcs.from[arc]]}`;
  if (!hasTimes) return '';
  const part = share(charged, whole);
  return `${about}${timeWithUnit(charged)}${part === null ? '' : `, ${part.toFixed(1)}\u00a0%`}`;
}

/** @param {number} arc @param {number} f @param {boolean} isCaller @param {number} whole */
function neighbour(arc, f, isCaller, whole) {
  const other = isCaller ? data.arcs.from[arc] : data.arcs.to[arc];
  const charged = isCaller ? callerTime(arc) : arcTime(arc);
  const part = isInsideCycle(arc) ? 0 : share(charged, whole) || 0;
  const item = h('li', { class: 'neighbour', 'data-share': part }, functionLink(other), bar(part), h('span', { class: 'figures' }, h('span', {}, timeText(arc, charged, whole)), h('span', {}, callsText(arc, f, isCaller))));
  item.style.minHeight = `${(FULL_HEIGHT * part) / 100}px`;
  return item;
}

/** @param {number} f @param {boolean} isCaller @param {number} whole */
function neighbours(f, isCaller, whole) {
  const arcs = isCaller ? callersOf(f) : calleesOf(f);
  const list = h('ul', {});
  const title = isCaller ? 'Callers' : 'Callees';
  const side = h('section', { class: isCaller ? 'side callers' : 'side callees', 'aria-label': title }, h('h2', { class: 'small' }, `${title} (${count(arcs.length)})`), list);
  let end = 0;
  const more = h('button', { type: 'button', class: 'more' });
  const add = (/** @type {number} */ most) => {
    list.append(...arcs.slice(end, end + most).map((arc) => neighbour(arc, f, isCaller, whole)));
    end = Math.min(arcs.length, end + most);
    more.textContent = `Show more of the other ${count(arcs.length - end)}`;
    more.hidden = end === arcs.length;
    drawRibbons();
  };
  more.addEventListener('click', () => add(MORE_SHOWN));
  add(FIRST_SHOWN);
  if (arcs.length === 0) side.append(h('p', { class: 'quiet' }, isCaller ? 'No caller is known: it is where the program or a thread starts, or it was called by code that does not count calls.' : 'It calls no function that counts calls.'));
  side.append(more);
  return side;
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
    hasTimes && hasCalls && functions.total[f] !== null ? ['With callees', inclusiveFigure(f)] : null,
    ['Calls', Number(functions.calls[f]) === 0 ? 'none counted' : count(functions.calls[f])],
    Number(functions.self_calls[f]) > 0 ? ['Calls to itself', count(functions.self_calls[f])] : null,
    functions.file[f] ? ['Source', `${functions.file[f]}${functions.line[f] ? `:${functions.line[f]}` : ''}`] : null,
  ].filter((row) => row !== null);
  const list = h('dl', {}, rows.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));
  const own = share(functions.self[f], whole);
  return h('section', { class: 'middle', 'aria-label': 'Function' }, h('h2', { class: 'name', tabindex: -1, id: 'function' }, nameOf(f), h('span', { class: 'quiet' }, noteOf(f))), hasTimes ? bar(own) : null, list, cycleMembers(f), sourceLink(f));
}

/** @param {number} f */
function sourceLink(f) {
  const file = functions.file[f];
  if (!file || !data.sources.some((source) => source.path === file)) return null;
  return h('p', {}, h('a', { href: `#${new URLSearchParams({ source: file, line: String(functions.line[f] || 0) })}` }, 'Show its source'));
}

/** @param {number} f */
function trail(f) {
  const path = heaviestPath(f);
  if (path.length < 2) return null;
  return h('nav', { class: 'trail', 'aria-label': 'Path of calls with the most time' }, h('ol', { class: 'path' }, path.map((g, i) => h('li', {}, i === path.length - 1 ? h('span', { class: 'name', 'aria-current': 'location' }, cut(nameOf(g))) : functionLink(g)))));
}

// ---- Ribbons ----

/**
 * A band from (x, y) to (toX, toY), THICK pixels thick.
 * @param {number} x @param {number} y @param {number} toX @param {number} toY @param {number} thick
 */
function ribbon(x, y, toX, toY, thick) {
  const half = (x + toX) / 2;
  return svg('path', { class: 'ribbon', d: `M${x},${y}C${half},${y} ${half},${toY} ${toX},${toY}v${thick}C${half},${toY + thick} ${half},${y + thick} ${x},${y + thick}z` });
}

/**
 * The ribbons between one side and the middle, stacked where they meet the middle.
 * @param {Element} side @param {DOMRect} frame @param {DOMRect} target @param {boolean} isCaller
 */
function ribbonsOf(side, frame, target, isCaller) {
  let port = target.top - frame.top + 8;
  return Array.from(side.querySelectorAll('.neighbour'), (item) => {
    const box = item.getBoundingClientRect();
    const thick = Math.max(1.5, (FULL_HEIGHT * Number(item.getAttribute('data-share'))) / 100);
    const y = box.top + box.height / 2 - frame.top - thick / 2;
    const at = port;
    port = Math.min(port + thick, target.bottom - frame.top - 4);
    return isCaller ? ribbon(box.right - frame.left, y, target.left - frame.left, at, thick) : ribbon(target.right - frame.left, at, box.left - frame.left, y, thick);
  });
}

/** @param {HTMLElement} stage @param {Element[]} sides @param {Element} centre */
function drawAll(stage, sides, centre) {
  stage.querySelector('svg')?.remove();
  const frame = stage.getBoundingClientRect();
  const target = centre.getBoundingClientRect();
  if (frame.width === 0 || sides.some((side) => side.getBoundingClientRect().top > target.bottom)) return;
  const drawing = svg('svg', { class: 'ribbons', 'aria-hidden': 'true', width: frame.width, height: frame.height }, ...sides.flatMap((side, i) => ribbonsOf(side, frame, target, i === 0)));
  stage.prepend(drawing);
}

// ---- The view ----

/** @param {number} f */
function draw(f) {
  const whole = wholeOf(f);
  const centre = middle(f, whole);
  const sides = [neighbours(f, true, whole), neighbours(f, false, whole)];
  const stage = h('div', { class: 'stage' }, sides[0], centre, sides[1]);
  drawRibbons = oncePerFrame(() => drawAll(stage, sides, centre));
  new ResizeObserver(drawRibbons).observe(stage);
  const estimate = hasTimes && hasCalls && !data.measured ? h('p', { class: 'quiet note' }, '≈ is estimated from call counts: gprof assumes that all calls of a function cost the same. Numbers of calls are exact; own times are measured.') : null;
  place.replaceChildren(...[trail(f), stage, estimate].filter((part) => part !== null));
}

/** @param {URLSearchParams} parameters */
function show(parameters) {
  const wanted = parameters.has('f') ? functionOf(parameters) : (byImportance()[0] ?? -1);
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

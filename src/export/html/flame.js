// flame.js - all call stacks, callees below their callers or the other way round.
// SPDX-License-Identifier: GPL-3.0-or-later

import { cut } from './format.js';
import { data, isSampled } from './data.js';
import { h } from './dom.js';
import { currentPlace, linkTo, matcherOf } from './app.js';
import { FUNCTION, addressedName, figuresOf, hasChanges, isEstimated, nameOfFrame, nodeCount, rootOf, shareOfMatches } from './stacks.js';
import { hasComparison, noPathsNote } from './compare.js';
import { Icicle, coloursNote } from './icicle.js';

const details = h('p', { class: 'status', role: 'status' });
const colours = h('div', {});
const found = h('span', { class: 'quiet', role: 'status' });
const back = h('button', { type: 'button', onclick: () => zoom(icicle.zoomed.parent || icicle.root) }, 'Zoom out');
const icicle = new Icicle({ label: 'Call stacks', isCompared: true, describe, choose: zoom });

/** @typedef {import('./stacks.js').Frame} Frame */

/** @param {Frame} frame */
function describe(frame) {
  const name = cut(nameOfFrame(frame));
  const link = frame.kind === FUNCTION ? h('a', { class: 'name', href: linkTo(frame.f), title: 'Its callers and callees' }, name) : name;
  details.replaceChildren(link, ` ${figuresOf(frame, icicle.isUp)}`);
  back.disabled = icicle.zoomed === icicle.root;
}

// ---- The part of the address after #: `flame&callers&zoom=parse&zoom=main' ----

/** The frame that was chosen, which the address may not tell from others. @type {Frame | null} */
let chosen = null;

/** @param {Frame} frame */
function addressOf(frame) {
  /** @type {string[]} */
  const names = [];
  for (let at = frame; at.parent; at = at.parent) names.unshift(addressedName(at) ?? '');
  const zoomed = new URLSearchParams(names.filter(Boolean).map((name) => ['zoom', name]));
  return ['#flame', icicle.isUp ? 'callers' : '', String(zoomed)].filter(Boolean).join('&');
}

/** @param {Frame} frame */
function zoom(frame) {
  chosen = frame;
  const address = addressOf(frame);
  if (address === location.hash) show(currentPlace().parameters);
  else location.hash = address;
}

/** @param {URLSearchParams} parameters */
function show(parameters) {
  const isUp = parameters.has('callers');
  if (isUp !== icicle.isUp) {
    icicle.isUp = isUp;
    icicle.root = rootOf(isUp);
    directions[Number(isUp)].checked = true;
  }
  colours.replaceChildren(coloursNote(!isUp));
  let frame = icicle.root;
  const missing = parameters.getAll('zoom').find((name) => {
    const next = frame.children().find((child) => addressedName(child) === name);
    if (next) next.parent = frame;
    frame = next || frame;
    return !next;
  });
  if (chosen) icicle.zoomTo(chosen);
  else icicle.show(icicle.root, frame);
  chosen = null;
  return missing === undefined ? '' : `No stack has “${cut(missing)}” ${isUp ? 'above' : 'below'} “${cut(nameOfFrame(frame))}”.`;
}

// ---- The view ----

const directions = [false, true].map((isUp) => h('input', { type: 'radio', name: 'direction', checked: !isUp, onchange: () => (location.hash = isUp ? '#flame&callers' : '#flame') }));

function directionChoice() {
  return h('fieldset', { class: 'choice' }, h('legend', {}, 'Direction'), ['callees below', 'callers below'].map((text, i) => h('label', {}, directions[i], ` ${text}`)));
}

function searchField() {
  const field = h('input', { type: 'search', id: 'stack-search', autocomplete: 'off', spellcheck: 'false', placeholder: 'words, or /expression/' });
  field.addEventListener('input', () => {
    icicle.matches = matcherOf(field.value);
    found.textContent = icicle.matches ? `in ${shareOfMatches(icicle.matches).toFixed(1)}\u00a0% of the time` : '';
    icicle.draw();
  });
  return h('label', {}, 'Highlight: ', field);
}

/** Where stacks come from. */
export function originNote() {
  return isEstimated
    ? h('p', { class: 'note' }, h('span', { class: 'badge estimated' }, `estimated from ${data.measured ? 'times of calls' : 'call counts'}`), ` The profile holds calls from function to function, not stacks. Time is divided among callers by their ${data.measured ? 'times' : 'numbers'} of calls; own times are ${isSampled ? 'measured' : 'stated'}.`)
    : h('p', { class: 'note' }, h('span', { class: 'badge good' }, 'recorded'), ' These stacks were recorded while the program ran.');
}

/** @returns {HTMLElement} */
function create() {
  return h('div', { class: 'flame' }, originNote(), hasComparison && !hasChanges ? h('p', { class: 'note' }, noPathsNote()) : null, colours, h('div', { class: 'controls', role: 'group', 'aria-label': 'Stacks' }, directionChoice(), searchField(), found, back), details, icicle.element, h('p', { class: 'quiet note' }, 'Width is time. Click a function, or press Enter, to zoom; Escape zooms out; arrow keys walk; with Shift, a click or Enter shows its callers and callees.'));
}

/** @type {import('./app.js').View} */
export const flame = { id: 'flame', title: 'Flame graph', create, show };

export const hasStacks = nodeCount > 0;

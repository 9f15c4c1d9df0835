// flame.js - all call stacks, callees below their callers or the other way round.
// SPDX-License-Identifier: GPL-3.0-or-later

import { cut } from './format.js';
import { h } from './dom.js';
import { linkTo, matcherOf } from './app.js';
import { FUNCTION, figuresOf, hasChanges, isEstimated, nameOfFrame, nodeCount, rootOf, shareOfMatches } from './stacks.js';
import { Icicle, changesNote } from './icicle.js';

const details = h('p', { class: 'status', role: 'status' });
const found = h('span', { class: 'quiet', role: 'status' });
const back = h('button', { type: 'button', onclick: () => icicle.zoomTo(icicle.zoomed.parent || icicle.root) }, 'Zoom out');
const icicle = new Icicle({ label: 'Call stacks', isCompared: true, describe });

/** @param {import('./stacks.js').Frame} frame */
function describe(frame) {
  const name = cut(nameOfFrame(frame));
  const link = frame.kind === FUNCTION ? h('a', { class: 'name', href: linkTo(frame.f), title: 'Its callers and callees' }, name) : name;
  details.replaceChildren(link, ` ${figuresOf(frame, icicle.isUp)}`);
  back.disabled = icicle.zoomed === icicle.root;
}

/** @param {boolean} wanted */
function turn(wanted) {
  icicle.isUp = wanted;
  icicle.show(rootOf(wanted));
}

function directionChoice() {
  const choices = [
    { text: 'callees below', value: false },
    { text: 'callers below', value: true },
  ];
  return h('fieldset', { class: 'choice' }, h('legend', {}, 'Direction'), choices.map(({ text, value }) => h('label', {}, h('input', { type: 'radio', name: 'direction', checked: value === icicle.isUp, onchange: () => turn(value) }), ` ${text}`)));
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
    ? h('p', { class: 'note' }, h('span', { class: 'badge estimated' }, 'estimated from call counts'), ' The profile holds calls from function to function, not stacks. Time is divided among callers by their numbers of calls; own times are measured.')
    : h('p', { class: 'note' }, h('span', { class: 'badge good' }, 'recorded'), ' These stacks were recorded while the program ran.');
}

/** @returns {HTMLElement} */
function create() {
  return h('div', { class: 'flame' }, originNote(), hasChanges ? changesNote() : null, h('div', { class: 'controls', role: 'group', 'aria-label': 'Stacks' }, directionChoice(), searchField(), found, back), details, icicle.element, h('p', { class: 'quiet note' }, 'Width is time. Click a function, or press Enter, to zoom; Escape zooms out; arrow keys walk; with Shift, a click or Enter shows its callers and callees.'));
}

/** @type {import('./app.js').View} */
export const flame = { id: 'flame', title: 'Flame graph', create, show: () => icicle.draw() };

export const hasStacks = nodeCount > 0;

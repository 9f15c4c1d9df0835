// icicle.js - draws a tree of frames: width is time, children below their parents or above them.
// SPDX-License-Identifier: GPL-3.0-or-later

import { functions } from './data.js';
import { cut } from './format.js';
import { h, inParts, oncePerFrame } from './dom.js';
import { isOutside, linkTo, objectOf, onNamesChanged } from './app.js';
import { FUNCTION, OTHERS, figuresOf, hasChanges, nameOfFrame, rootOf, searchedName, shownChildren } from './stacks.js';

const LEAST_WIDTH = 2; // pixels; narrower frames are drawn together, as others
const MOST_FRAMES = 6000;
const COLOURS = 8;

/** @typedef {import('./stacks.js').Frame} Frame */

/** Colour and mark of a frame in a comparison, by its change. */
const CHANGES = new Map([
  [-1, { colour: 'frame faster', mark: '▼ ' }],
  [0, { colour: 'frame other', mark: '' }],
  [1, { colour: 'frame slower', mark: '▲ ' }],
]);

/**
 * What the colours of frames mean.
 * @param {boolean} isCompared
 */
export function coloursNote(isCompared) {
  if (hasChanges && isCompared) return h('p', { class: 'note' }, 'Compared with the base: ', h('span', { class: 'badge frame-slower' }, '▲ slower'), ' and ', h('span', { class: 'badge frame-faster' }, '▼ faster'), ' paths changed significantly; what changed on the ', h('span', { class: 'badge frame-grey' }, 'other'), ' frames may be chance. Width is the time after.');
  return h('p', { class: 'note quiet' }, h('span', { class: 'badge frame-warm' }, 'Warm colours'), ' only tell functions apart; ', h('span', { class: 'badge frame-grey' }, 'grey'), ' is what is no function of the program.');
}

/** What a frame is. @param {Frame} frame @param {boolean} isUp */
export const described = (frame, isUp) => [h('span', { class: 'name' }, cut(nameOfFrame(frame))), ` ${figuresOf(frame, isUp)}`];

/** @param {Frame} frame */
function colourOf(frame) {
  if (frame.kind !== FUNCTION || objectOf(frame.f) !== null || isOutside(frame.f)) return 'frame other';
  let hash = 0;
  const name = functions.name[frame.f];
  for (let i = 0; i < Math.min(name.length, 64); i++) hash = (hash * 31 + name.charCodeAt(i)) % 65521;
  return `frame colour-${hash % COLOURS}`;
}

/**
 * Puts the function of a frame into the middle of the call graph.
 * @param {Frame} frame
 */
export function showFunction(frame) {
  if (frame.kind === FUNCTION) location.hash = linkTo(frame.f);
}

/**
 * @typedef {object} IcicleOptions
 * @property {string} label for screen readers
 * @property {boolean} [isUp] children are callers
 * @property {boolean} [isStanding] children above their parents, without the root
 * @property {number} [levels] at most so many
 * @property {boolean} [isCompared] only what changed has a colour, in a comparison, unless children are callers
 * @property {Frame} [root] else all stacks
 * @property {(frame: Frame) => void} describe shows what a frame is
 * @property {(frame: Frame) => void} [choose] what a click does; else it zooms
 */

export class Icicle {
  /** @param {IcicleOptions} options */
  constructor(options) {
    this.options = options;
    this.isUp = options.isUp || false;
    this.root = options.root || rootOf(this.isUp);
    this.zoomed = this.root;
    this.focused = this.root;
    /** @type {((name: string) => boolean) | null} */
    this.matches = null;
    /** @type {Map<Frame, HTMLElement>} */
    this.drawn = new Map();
    this.element = h('div', { class: 'icicle', role: 'tree', 'aria-label': options.label });
    this.element.addEventListener('keydown', (event) => this.onKey(event));
    this.element.addEventListener('pointerleave', () => options.describe(this.focused));
    onNamesChanged(() => this.draw());
    new ResizeObserver(oncePerFrame(() => this.draw())).observe(this.element);
  }

  /** @param {Frame} root @param {Frame} [zoomed] */
  show(root, zoomed = root) {
    this.root = root;
    this.zoomed = zoomed;
    this.focused = zoomed;
    this.draw();
  }

  /** @param {Frame} frame */
  zoomTo(frame) {
    this.show(this.root, frame);
    this.drawn.get(frame)?.focus();
  }

  /** @param {Frame} frame @param {boolean} isAside */
  choose(frame, isAside) {
    if (isAside) showFunction(frame);
    else if (this.options.choose) this.options.choose(frame);
    else this.zoomTo(frame);
  }

  /** @param {Frame} frame @param {number} level @param {number} left @param {number} width */
  drawFrame(frame, level, left, width) {
    const name = nameOfFrame(frame);
    const change = hasChanges && this.options.isCompared && !this.isUp ? CHANGES.get(frame.changed) : undefined;
    const label = width > 24 ? [change?.mark ? h('span', { class: 'mark' }, change.mark) : '', ...inParts(cut(name), (part) => h('bdi', {}, part))] : [];
    const figures = figuresOf(frame, this.isUp);
    const element = h('div', { class: change?.colour || colourOf(frame), role: 'treeitem', 'aria-level': level + 1, 'aria-label': `${name.slice(0, 300)}, ${figures}`, tabindex: -1, title: `${name.slice(0, 1000)}\n${figures}` }, ...label.filter(Boolean));
    element.style.left = `${left}px`;
    element.style.width = `${Math.max(1, width - 1)}px`;
    element.style[this.options.isStanding ? 'bottom' : 'top'] = `calc(${level} * var(--frame-height))`;
    if (this.matches !== null && !this.matches(searchedName(frame))) element.classList.add('dim');
    if (frame === this.zoomed) element.classList.add('zoomed');
    element.addEventListener('click', (event) => this.choose(frame, event.shiftKey));
    element.addEventListener('pointerenter', () => this.options.describe(frame));
    element.addEventListener('focus', () => {
      this.focused = frame;
      this.options.describe(frame);
    });
    this.drawn.set(frame, element);
    return element;
  }

  /** @returns {Frame[]} from the root, if it is drawn, down to the frame that is zoomed */
  pathToZoomed() {
    const path = [];
    for (let frame = /** @type {Frame | null} */ (this.zoomed); frame; frame = frame.parent) path.unshift(frame);
    return path.slice(Number(this.options.isStanding || false));
  }

  draw() {
    const width = this.element.clientWidth;
    const hasFocus = this.element.contains(document.activeElement);
    const path = this.pathToZoomed();
    this.drawn = new Map();
    const elements = path.map((frame, level) => this.drawFrame(frame, level, 0, width));
    let row = [{ frame: this.zoomed, left: 0 }];
    const scale = this.zoomed.value > 0 ? width / this.zoomed.value : 0;
    let level = path.length;
    for (; row.length > 0 && elements.length < MOST_FRAMES && level < (this.options.levels || Infinity); level++) {
      const next = [];
      for (const { frame, left } of row) {
        let x = left;
        for (const child of shownChildren(frame, LEAST_WIDTH / scale)) {
          elements.push(this.drawFrame(child, level, x, child.value * scale));
          if (child.kind !== OTHERS) next.push({ frame: child, left: x });
          x += child.value * scale;
        }
      }
      row = next;
    }
    const levels = row.length > 0 ? level : level - 1;
    this.element.replaceChildren(...elements);
    this.element.style.height = `calc(${levels} * var(--frame-height))`;
    (this.drawn.get(this.zoomed) || elements[0])?.setAttribute('tabindex', '0');
    if (hasFocus) this.drawn.get(this.focused)?.focus({ preventScroll: true });
    this.options.describe(this.focused);
  }

  // ---- Keys ----

  /** @param {Frame} frame @param {number} step */
  sibling(frame, step) {
    const siblings = Array.from(this.drawn.keys()).filter((other) => other.parent === frame.parent);
    return siblings[siblings.indexOf(frame) + step];
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const outward = () => this.focused.parent;
    const inward = () => Array.from(this.drawn.keys()).find((frame) => frame.parent === this.focused);
    const isStanding = this.options.isStanding || false;
    /** @type {Record<string, () => Frame | null | undefined>} */
    const moves = { ArrowUp: isStanding ? inward : outward, ArrowDown: isStanding ? outward : inward, ArrowLeft: () => this.sibling(this.focused, -1), ArrowRight: () => this.sibling(this.focused, 1), Home: () => this.root };
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') this.choose(this.focused, event.shiftKey);
    else if (event.key === 'Escape' && this.zoomed.parent) this.choose(this.zoomed.parent, false);
    else if (moves[event.key]) this.drawn.get(moves[event.key]() || this.focused)?.focus();
    else return;
    event.preventDefault();
  }
}

// dom.js - makes elements.  Text always becomes text nodes and attributes, never markup.
// SPDX-License-Identifier: GPL-3.0-or-later

/** @typedef {Node | string | number | null | false} Child */

/**
 * @param {Element} element
 * @param {string} name
 * @param {unknown} value
 */
function setAttribute(element, name, value) {
  if (typeof value === 'function') element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
  else if (value !== null && value !== false && value !== undefined) element.setAttribute(name, value === true ? '' : String(value));
}

/**
 * An element.  Attributes that begin with `on' are listeners; those that are null or false are left out.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  element.append(...children.flat().filter((child) => child !== null && child !== false).map((child) => (typeof child === 'number' ? String(child) : child)));
  return element;
}

/**
 * A name that may be broken between its words.
 * @param {string} name
 */
export function wrapped(name) {
  return h('span', {}, name.split(/(?<=::|[_<,(])(?![:_.])/).flatMap((word, i) => (i > 0 ? [h('wbr'), word] : [word])));
}

/**
 * `f [libc.so.6]' as two elements, of which that of the object gets narrower first.
 * @param {string} name
 * @param {(name: string) => Child} show how the function's name is shown
 * @returns {Child[]}
 */
export function inParts(name, show) {
  const object = / \[[^[\]]+\]$/.exec(name);
  if (!object || object.index === 0) return [show(name)];
  return [h('span', { class: 'function' }, show(name.slice(0, object.index))), h('span', { class: 'object' }, object[0])];
}

/**
 * A horizontal bar, PERCENT of its place wide; with RANGE, also a mark from one percentage to another.
 * @param {number | null} percent
 * @param {[number, number] | null} [range]
 */
export function bar(percent, range = null) {
  const fill = h('span', { class: 'bar-fill' });
  fill.style.width = `${Math.min(100, percent || 0)}%`;
  const whole = h('span', { class: 'bar', 'aria-hidden': 'true' }, fill);
  if (range) {
    const mark = h('span', { class: 'bar-range' });
    mark.style.left = `${Math.max(0, range[0])}%`;
    mark.style.width = `${Math.max(0, Math.min(100, range[1]) - Math.max(0, range[0]))}%`;
    whole.append(mark);
  }
  return whole;
}

/**
 * Calls DRAW at most once for each frame.
 * @param {() => void} draw
 */
export function oncePerFrame(draw) {
  let isPending = false;
  return () => {
    if (isPending) return;
    isPending = true;
    requestAnimationFrame(() => {
      isPending = false;
      draw();
    });
  };
}

// rows.js - a table of any number of rows, of which only those in sight are in the document.
// SPDX-License-Identifier: GPL-3.0-or-later

import { count, plural } from './format.js';
import { h, oncePerFrame } from './dom.js';

const BEYOND = 6; // rows above and below those in sight
const MOST_PRINTED = 500;

/**
 * @typedef {object} Column
 * @property {string} key
 * @property {string} label
 * @property {string} title explains the column
 * @property {boolean} [isText] left-aligned
 * @property {boolean} [isWide] not where the window is narrow
 * @property {(row: number) => number | string | null} [value] to sort by; null is last.  Without it, no sorting.
 * @property {(row: number) => import('./dom.js').Child} cell
 * @property {(row: number) => string | null} [doubt] a mark after the cell
 * @property {(row: number) => number | null} [bar] percentage that a bar behind the cell shows
 *
 * @typedef {object} RowsOptions
 * @property {string} label for screen readers
 * @property {Column[]} columns the first is the head of the row
 * @property {number[]} rows
 * @property {string} [sortKey]
 * @property {boolean} [isDescending]
 * @property {(row: number) => string} [className] of the row
 */

export class Rows {
  /** @param {RowsOptions} options */
  constructor(options) {
    this.options = options;
    this.columns = options.columns;
    this.rows = options.rows;
    this.sortKey = options.sortKey || '';
    this.isDescending = options.isDescending ?? true;
    this.first = 0;
    this.end = 0;
    this.height = 0;
    /** Rows in the document by index. @type {Map<number, HTMLElement>} */
    this.made = new Map();
    this.head = h('thead', {});
    this.body = h('tbody', {});
    this.above = h('tbody', { 'aria-hidden': 'true', class: 'spacer' }, h('tr', {}, h('td', {})));
    this.below = h('tbody', { 'aria-hidden': 'true', class: 'spacer' }, h('tr', {}, h('td', {})));
    this.caption = h('caption', {}); // on paper
    this.table = h('table', { class: 'rows', 'aria-label': options.label }, this.caption, this.head, this.above, this.body, this.below);
    this.element = h('div', { class: 'rows-scroll', tabindex: 0, role: 'region', 'aria-label': `${options.label}, scrollable` }, this.table);
    this.element.addEventListener('scroll', () => this.draw(false), { passive: true });
    this.element.addEventListener('keydown', (event) => this.onKey(event));
    new ResizeObserver(oncePerFrame(() => this.resized())).observe(this.element);
    window.addEventListener('beforeprint', () => this.drawRange(0, Math.min(this.rows.length, MOST_PRINTED)));
    window.addEventListener('afterprint', () => this.draw(true));
    this.sort();
  }

  /** Names give way if the columns are wider than the window. */
  resized() {
    this.table.classList.remove('tight');
    this.draw(true);
  }

  /** @param {Column[]} columns */
  setColumns(columns) {
    this.table.classList.remove('tight');
    this.columns = columns;
    this.sort();
  }

  /** @param {number[]} rows */
  setRows(rows) {
    this.rows = rows;
    this.element.scrollTop = 0;
    this.sort();
  }

  /** Sorts by the column and shows the rows again. */
  sort() {
    const column = this.columns.find((c) => c.key === this.sortKey);
    if (column?.value) this.rows = sorted(this.rows, column.value, this.isDescending);
    this.table.setAttribute('aria-rowcount', String(this.rows.length + 1));
    this.drawHead();
    this.draw(true);
  }

  /** @param {Column} column */
  sortBy(column) {
    this.isDescending = this.sortKey === column.key ? !this.isDescending : !column.isText;
    this.sortKey = column.key;
    this.element.scrollTop = 0;
    this.sort();
    /** @type {HTMLElement | null} */ (this.head.querySelector(`[data-key="${column.key}"] button`))?.focus();
  }

  drawHead() {
    const cells = this.columns.map((column) => {
      const isSorted = column.key === this.sortKey;
      const content = column.value ? h('button', { type: 'button', title: column.title, onclick: () => this.sortBy(column) }, column.label, h('span', { class: 'arrow', 'aria-hidden': 'true' }, isSorted ? (this.isDescending ? ' ▼' : ' ▲') : '')) : h('span', { title: column.title }, column.label);
      return h('th', { scope: 'col', 'data-key': column.key, class: (column.isText ? '' : 'number') + (column.isWide ? ' wide-only' : ''), 'aria-sort': isSorted ? (this.isDescending ? 'descending' : 'ascending') : null }, content);
    });
    this.head.replaceChildren(h('tr', { 'aria-rowindex': 1 }, cells));
  }

  /** @returns {number} in pixels */
  get rowHeight() {
    return (this.height ||= parseFloat(getComputedStyle(this.element).getPropertyValue('--row-height')));
  }

  /**
   * Puts the rows in sight into the document; unless IS_FORCED, only if some are missing.
   * @param {boolean} isForced
   */
  draw(isForced) {
    const height = this.rowHeight;
    const first = Math.floor(this.element.scrollTop / height);
    const end = Math.min(this.rows.length, first + Math.ceil(this.element.clientHeight / height) + 1);
    if (isForced) this.made.clear();
    else if (first >= this.first && end <= this.end) return;
    this.drawRange(Math.max(0, first - BEYOND), Math.min(this.rows.length, end + BEYOND));
  }

  /** @param {number} first @param {number} end */
  drawRange(first, end) {
    const focused = this.focusedRow();
    this.first = first;
    this.end = end;
    this.caption.textContent = end < this.rows.length ? `The first ${count(end)} of ${plural(this.rows.length, 'row')}` : '';
    const kept = this.made;
    this.made = new Map();
    for (let i = first; i < end; i++) this.made.set(i, kept.get(i) || this.drawRow(i));
    this.body.replaceChildren(...this.made.values());
    this.setSpace(this.above, first);
    this.setSpace(this.below, this.rows.length - end);
    if (this.element.scrollWidth > this.element.clientWidth) this.table.classList.add('tight');
    if (focused >= 0) this.focusRow(focused);
  }

  /** @param {HTMLElement} spacer @param {number} rows */
  setSpace(spacer, rows) {
    spacer.hidden = rows === 0;
    /** @type {HTMLElement} */ (spacer.firstElementChild).style.height = `${rows * this.rowHeight}px`;
  }

  /** @param {number} i */
  drawRow(i) {
    const row = this.rows[i];
    const cells = this.columns.map((column, c) => {
      const doubt = column.doubt ? column.doubt(row) : null;
      const mark = doubt ? h('span', { class: 'doubt', title: doubt }, '?') : null;
      const cell = h(c === 0 ? 'th' : 'td', { scope: c === 0 ? 'row' : null, class: (column.isText ? 'text' : 'number') + (column.isWide ? ' wide-only' : '') }, column.cell(row), mark);
      const part = column.bar?.(row);
      if (part) cell.style.backgroundImage = `linear-gradient(to right, var(--share) ${part}%, transparent ${part}%)`;
      return cell;
    });
    return h('tr', { 'aria-rowindex': i + 2, 'data-index': i, class: this.options.className ? this.options.className(row) : null }, cells);
  }

  // ---- Keys ----

  /** The index of the row that has the focus; -1: none. */
  focusedRow() {
    const row = document.activeElement?.closest('tr[data-index]');
    return row && this.body.contains(row) ? Number(row.getAttribute('data-index')) : -1;
  }

  /** @param {number} i */
  focusRow(i) {
    const link = /** @type {HTMLElement | null} */ (this.body.querySelector(`tr[data-index="${i}"] a`));
    (link || this.element).focus({ preventScroll: true });
  }

  /**
   * Scrolls to row I.
   * @param {number} i
   */
  reveal(i) {
    const height = this.rowHeight;
    const top = i * height;
    const space = this.element.clientHeight - this.head.offsetHeight - height;
    if (top < this.element.scrollTop) this.element.scrollTop = top;
    else if (top > this.element.scrollTop + space) this.element.scrollTop = top - space;
    this.draw(false);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.rowHeight) - 2);
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.rows.length, End: this.rows.length };
    const step = steps[event.key];
    const isInHead = this.head.contains(document.activeElement);
    if (step === undefined || isInHead || event.altKey || event.ctrlKey || event.metaKey || this.rows.length === 0) return;
    event.preventDefault();
    const focused = this.focusedRow();
    const next = Math.max(0, Math.min(this.rows.length - 1, focused < 0 && Math.abs(step) === 1 ? this.firstInSight() : Math.max(focused, 0) + step));
    this.reveal(next);
    this.focusRow(next);
  }

  firstInSight() {
    return Math.ceil(this.element.scrollTop / this.rowHeight);
  }
}

/**
 * Rows without a value come last in both directions; equal ones stay in their order.
 * @param {number[]} rows
 * @param {(row: number) => number | string | null} value
 * @param {boolean} isDescending
 */
function sorted(rows, value, isDescending) {
  const direction = isDescending ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: value(row) }));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
    return a.key < b.key ? -direction : a.key > b.key ? direction : 0;
  });
  return keyed.map((entry) => entry.row);
}

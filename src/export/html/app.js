// app.js - which view is shown, links to views, and how functions are named.
// SPDX-License-Identifier: GPL-3.0-or-later

import { allSamples, data, functions, functionCount, findFunction, isNameShared } from './data.js';
import { cut } from './format.js';
import { h, inParts, wrapped } from './dom.js';

/**
 * What the part of the address after # says: `functions', `f=main', `source=a.c&line=3'.
 * @typedef {{view: string, parameters: URLSearchParams}} Place
 *
 * @typedef {object} View
 * @property {string} id
 * @property {string} title
 * @property {() => HTMLElement} create
 * @property {(parameters: URLSearchParams) => string | void} [show] called each time it is shown; returns what is wrong with the address
 */

/** @returns {Place} */
export function currentPlace() {
  const text = location.hash.slice(1);
  const parameters = new URLSearchParams(text);
  if (parameters.has('f')) return { view: 'graph', parameters };
  if (parameters.has('code') || (parameters.has('source') && parameters.get('source') !== '')) return { view: 'source', parameters };
  return { view: text.split(/[&=]/)[0] || 'overview', parameters };
}

/** @param {number} f */
export function linkTo(f) {
  const parameters = new URLSearchParams({ f: functions.name[f] });
  const address = functions.address[f];
  if (isNameShared(f) && address) parameters.set('at', address);
  return `#${parameters}`;
}

/**
 * The function of a link; -1 if there is none.
 * @param {URLSearchParams} parameters
 */
export function functionOf(parameters) {
  return findFunction(parameters.get('f') || '', parameters.get('at') || undefined);
}

// ---- Names ----

export const hasShortNames = functions.short.some((name) => name !== null);
let isFull = false;
/** @type {(() => void)[]} */
const nameListeners = [];

/** @param {boolean} wanted */
export function setFullNames(wanted) {
  isFull = wanted;
  for (const listener of nameListeners) listener();
}

/** @param {() => void} listener */
export function onNamesChanged(listener) {
  nameListeners.push(listener);
}

/**
 * Whether F is all code of another object in recorded stacks, such as [libc.so.6].
 * @param {number} f
 */
export const isObject = (f) => functions.address[f] === null && /^\[(?!program\])/.test(functions.name[f]);

/**
 * The object that F is in; null if that is the program, or not known.
 * @param {number} f
 */
export function objectOf(f) {
  if (functions.address[f] !== null) return null;
  const name = functions.name[f];
  const found = / \[([^[\]]+)\]$/.exec(name) || /^(.+)\+0x[0-9a-f]+$/.exec(name) || /^\[(?!program\])(.+)\]$/.exec(name);
  return found ? found[1] : null;
}

/** @param {number} f */
export function nameOf(f) {
  return (isFull || isObject(f) ? null : functions.short[f]) ?? functions.name[f];
}

/** Whether F stands for all callers with address 0. @param {number} f */
export const isOutside = (f) => functions.name[f] === '<outside>' && functions.file[f] === null;

/** @param {string} path */
export const baseName = (path) => path.replace(/^.*\//, '');

/**
 * What tells F from others of its name, and its cycle.
 * @param {number} f
 */
export function noteOf(f) {
  const file = functions.file[f];
  const place = file && isNameShared(f) ? ` (${baseName(file)})` : '';
  return place + startNote(f) + (functions.cycle[f] ? ` <cycle ${functions.cycle[f]}>` : '');
}

/**
 * What functions do that linkers make, and who calls from address 0.
 * @param {number} f
 */
function startNote(f) {
  if (functions.file[f] !== null) return '';
  if (isOutside(f)) return ' (callers outside of the program)';
  if (functions.name[f].endsWith('@plt')) return ' (jump to a shared object)';
  return functions.name[f] === '_init' ? ' (start)' : '';
}

const MOST_IN_TITLE = 2000;

/**
 * What is shown when the pointer rests on a name.
 * @param {number} f
 */
export function titleOf(f) {
  const file = functions.file[f];
  const place = file ? `\n${file}${functions.line[f] ? `:${functions.line[f]}` : ''}` : '';
  return functions.name[f].slice(0, MOST_IN_TITLE) + place;
}

/**
 * A link that shows a function in the call graph.
 * @param {number} f
 * @param {Record<string, unknown>} [attributes]
 */
export function functionLink(f, attributes = {}) {
  return h('a', { class: 'name', href: linkTo(f), title: titleOf(f), ...attributes }, ...inParts(cut(nameOf(f)), wrapped), h('span', { class: 'quiet' }, noteOf(f)));
}

// ---- Search ----

/**
 * Whether a text has all words of a search, or matches it if it is written /like this/.  Null for a search that is
 * empty or a wrong expression.
 * @param {string} search
 * @returns {((text: string) => boolean) | null}
 */
export function matcherOf(search) {
  const expression = /^\/(.+)\/$/.exec(search);
  if (expression) {
    try {
      const compiled = new RegExp(expression[1], 'i');
      return (text) => compiled.test(text);
    } catch {
      return null;
    }
  }
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  return (text) => {
    const lower = text.toLowerCase();
    return words.every((word) => lower.includes(word));
  };
}

/**
 * How well a name fits a search: 0: it is the name; 1: the last part of it; 2: it begins so; 3: it has it.
 * @param {string} name
 * @param {string} search in lower case
 */
function rankOf(name, search) {
  const lower = name.toLowerCase();
  if (!lower.includes(search)) return 3;
  const plain = lower.replace(/ \[[^[\]]+\]$/, '').replace(/\(.*$/s, '');
  if (lower === search || plain === search) return 0;
  return plain.endsWith(`::${search}`) ? 1 : lower.startsWith(search) ? 2 : 3;
}

/**
 * The functions in the list that match, those that fit best first, at most MOST.
 * @param {number[]} list
 * @param {string} search
 * @param {number} most
 */
export function searchFunctions(list, search, most) {
  const matches = matcherOf(search);
  const found = /** @type {number[][]} */ ([[], [], [], []]);
  const lower = search.toLowerCase();
  for (const f of matches ? list : []) {
    const name = functions.name[f];
    const some = matches?.(name) ? found[rankOf(name, lower)] : null;
    if (some && some.length < most) some.push(f);
  }
  return found.flat().slice(0, most);
}

export const hasTimes = allSamples > 0;
export const hasCalls = data.arcs.from.length > 0;
/** Whether numbers of calls are known. */
export const hasCounts = hasCalls && functions.calls.some((calls) => Number(calls) > 0);
export const programName = baseName(data.image.path);
export const isEmpty = functionCount === 0;

// main.js - the frame of the page: title, views, search for a function, light and dark.
// SPDX-License-Identifier: GPL-3.0-or-later

import { allSamples, allTime, byImportance, data, selfShare } from './data.js';
import { count, cut, roughPercent, timeWithUnit } from './format.js';
import { h } from './dom.js';
import { currentPlace, hasCalls, hasShortNames, hasTimes, linkTo, nameOf, noteOf, programName, searchFunctions, setFullNames, titleOf } from './app.js';
import { overview } from './overview.js';
import { table } from './table.js';
import { graph } from './graph.js';
import { flame, hasStacks } from './flame.js';
import { hasThreads, threadsView } from './threads.js';
import { hasSources, source } from './source.js';
import { compare, hasComparison } from './compare.js';

const views = [overview, table, hasCalls ? graph : null, hasStacks ? flame : null, hasThreads ? threadsView : null, hasSources ? source : null, hasComparison ? compare : null].filter((view) => view !== null);

// ---- Light and dark ----

const THEMES = ['auto', 'light', 'dark'];
const THEME_KEY = 'regprof-theme';

/** Storage may be forbidden, for pages from disk too. */
function storedTheme() {
  try {
    return localStorage.getItem(THEME_KEY) || 'auto';
  } catch {
    return 'auto';
  }
}

/** @param {string} theme */
function storeTheme(theme) {
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {
    // Then it lasts as long as the page.
  }
}

function themeButton() {
  const button = h('button', { type: 'button', class: 'theme' });
  let theme = storedTheme();
  const apply = () => {
    document.documentElement.setAttribute('data-theme', theme);
    button.textContent = `Theme: ${theme}`;
  };
  button.addEventListener('click', () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    storeTheme(theme);
    apply();
  });
  apply();
  return button;
}

// ---- Search for a function ----

const MOST_FOUND = 10;

class Finder {
  constructor() {
    this.order = byImportance();
    this.input = h('input', { type: 'search', id: 'find', placeholder: 'Find function  ( / )', role: 'combobox', 'aria-label': 'Find function', 'aria-expanded': 'false', 'aria-controls': 'found', 'aria-autocomplete': 'list', autocomplete: 'off', spellcheck: 'false' });
    this.list = h('ul', { id: 'found', role: 'listbox', 'aria-label': 'Functions found' });
    this.list.hidden = true;
    this.element = h('div', { class: 'finder' }, this.input, this.list);
    /** @type {number[]} */
    this.found = [];
    this.chosen = -1;
    this.input.addEventListener('input', () => this.search());
    this.input.addEventListener('keydown', (event) => this.onKey(event));
    this.input.addEventListener('blur', () => this.close());
  }

  search() {
    this.found = searchFunctions(this.order, this.input.value.trim(), MOST_FOUND);
    this.list.replaceChildren(...this.found.map((f, i) => this.option(f, i)));
    this.list.hidden = this.found.length === 0;
    this.input.setAttribute('aria-expanded', String(this.found.length > 0));
    this.choose(this.found.length > 0 ? 0 : -1);
  }

  /** @param {number} f @param {number} i */
  option(f, i) {
    const option = h('li', { role: 'option', id: `found-${i}`, 'aria-selected': 'false', title: titleOf(f) }, h('span', { class: 'name' }, cut(nameOf(f) + noteOf(f))), h('span', { class: 'quiet' }, hasTimes ? roughPercent(selfShare(f)) : ''));
    option.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      this.go(f);
    });
    return option;
  }

  /** @param {number} i */
  choose(i) {
    this.chosen = i;
    Array.from(this.list.children, (option, at) => option.setAttribute('aria-selected', String(at === i)));
    if (i >= 0) this.input.setAttribute('aria-activedescendant', `found-${i}`);
    else this.input.removeAttribute('aria-activedescendant');
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && this.found.length > 0) this.choose((this.chosen + step + this.found.length) % this.found.length);
    else if (event.key === 'Enter' && this.chosen >= 0) this.go(this.found[this.chosen]);
    else if (event.key === 'Escape') this.close();
    else return;
    event.preventDefault();
  }

  /** @param {number} f */
  go(f) {
    this.input.value = '';
    this.close();
    this.input.blur();
    location.hash = hasCalls ? linkTo(f) : '#functions';
  }

  close() {
    this.found = [];
    this.list.hidden = true;
    this.list.replaceChildren();
    this.input.setAttribute('aria-expanded', 'false');
    this.choose(-1);
  }
}

// ---- Views ----

const problem = h('p', { class: 'problem', role: 'alert' });
const main = h('main', { id: 'main', tabindex: -1 }, problem);
const nav = h('nav', { 'aria-label': 'Views' }, views.map((view) => h('a', { href: `#${view.id}`, 'data-view': view.id }, view.title)));
/** @type {Map<string, HTMLElement>} */
const created = new Map();

/** @param {string} id */
function showView(id) {
  const view = views.find((candidate) => candidate.id === id) || views[0];
  let element = created.get(view.id);
  if (!element) {
    element = h('div', { class: 'view', id: `view-${view.id}` }, h('h1', { class: 'screen-reader' }, view.title), view.create());
    created.set(view.id, element);
    main.append(element);
  }
  for (const [other, place] of created) place.hidden = other !== view.id;
  for (const link of nav.querySelectorAll('a')) {
    const isCurrent = link.getAttribute('data-view') === view.id;
    if (isCurrent) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
    if (isCurrent) nav.scrollLeft = link.offsetLeft - nav.offsetLeft - 30;
  }
  document.title = `${view.title}: ${programName}`;
  return view;
}

function showPlace() {
  const { view, parameters } = currentPlace();
  const before = main.querySelector('.view:not([hidden])');
  const shown = showView(view);
  const wrong = shown.id === view ? shown.show?.(parameters) : `This page has no “${cut(decoded(location.hash.slice(1)))}”; this is the overview.`;
  problem.textContent = wrong || '';
  problem.hidden = !wrong;
  if (!wrong) nav.querySelector(`[data-view="${shown.id}"]`)?.setAttribute('href', location.hash || '#overview');
  if (before && before.id !== `view-${shown.id}`) window.scrollTo(0, 0);
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// ---- Keys ----

const KEYS = [
  ['/', 'finds a function: type a part of its name, choose with the arrow keys, and press Enter'],
  ['Arrow keys, Page Up, Page Down, Home, End', 'walk the rows of a table or the frames of a flame graph'],
  ['Enter', 'shows the function of a row or frame in the call graph; zooms in the flame graph'],
  ['Shift + Enter', 'shows the function of a frame of the flame graph in the call graph'],
  ['Escape', 'zooms out; closes a list or this'],
  ['?', 'shows this'],
];

function keysDialog() {
  const close = h('button', { type: 'button', onclick: () => dialog.close() }, 'Close');
  const dialog = h('dialog', { 'aria-labelledby': 'keys' }, h('h2', { id: 'keys' }, 'Keys'), h('dl', {}, KEYS.flatMap(([key, text]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, text)])), close);
  return dialog;
}

// ---- The page ----

function summary() {
  if (!hasTimes) return 'call counts only';
  const profiles = data.inputs.length > 1 ? ` of ${count(data.inputs.length)}\u00a0profiles` : '';
  return `${timeWithUnit(allTime)}, ${count(Math.round(allSamples))}\u00a0samples${profiles}`;
}

function namesButton() {
  if (!hasShortNames) return null;
  const box = h('input', { type: 'checkbox' });
  box.addEventListener('change', () => setFullNames(box.checked));
  return h('label', { class: 'check' }, box, ' full names');
}

function start() {
  const finder = new Finder();
  const keys = keysDialog();
  const menu = h('button', { type: 'button', class: 'menu', 'aria-label': 'Tools', 'aria-expanded': 'false', onclick: () => openTools(!header.classList.contains('open')) }, '⋮');
  const tools = h('div', { class: 'tools' }, finder.element, namesButton(), themeButton(), h('button', { type: 'button', 'aria-label': 'Keys', title: 'Keys', onclick: () => keys.showModal() }, '?'));
  const header = h('header', {}, h('p', { class: 'program' }, h('strong', { title: data.image.path }, h('bdi', {}, programName)), h('span', { class: 'quiet' }, summary())), nav, menu, tools);
  /** Where the window is narrow, tools are behind a button. @param {boolean} isOpen */
  const openTools = (isOpen) => {
    header.classList.toggle('open', isOpen);
    menu.setAttribute('aria-expanded', String(isOpen));
  };
  document.body.append(h('a', { class: 'skip', href: '#main', onclick: skip }, 'Skip to the content'), header, main, keys);
  window.addEventListener('hashchange', () => {
    openTools(false);
    showPlace();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input, select, textarea, dialog');
    if (isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === '/') {
      openTools(true);
      finder.input.focus();
    } else if (event.key === '?') keys.showModal();
    else return;
    event.preventDefault();
  });
  showPlace();
}

/** The link keeps the address, which says which view is shown.
 * @param {Event} event
 */
function skip(event) {
  event.preventDefault();
  main.focus();
}

start();

// overview.js - what is slow, who called it, what changed, how sure that is.
// SPDX-License-Identifier: GPL-3.0-or-later

import { about, allSamples, allTime, data, functions, byImportance, arcTime, heaviestPath, callersOf, calleesOf, errorOf, isDoubtful, isSampled, selfShare, totalShare, share, FEW_SAMPLES } from './data.js';
import { count, cut, plural, roughPercent, shortTime, time, timeWithUnit, unit } from './format.js';
import { bar, h } from './dom.js';
import { functionLink, hasCalls, hasCounts, hasTimes, isEmpty, isObject, isOutside, objectOf } from './app.js';
import { FUNCTION, nameOfFrame, nodeCount, objectTimes, rootOf, shareOfFrame } from './stacks.js';
import { Icicle, coloursNote, described, showFunction } from './icicle.js';
import { changedName, changes, growth, hasComparison, runsNote, samplesNote, significantChanges, sumSentence } from './compare.js';

const MOST_ROWS = 10;
const FLAME_LEVELS = 12;

/** @typedef {import('./dom.js').Child} Child */

/**
 * @param {string} title
 * @param {string} className
 * @param {...(Child | Child[])} children
 */
function card(title, className, ...children) {
  return h('section', { class: `card ${className}` }, h('h2', {}, title), ...children);
}

/** @param {...(Child | Child[])} children */
const paragraph = (...children) => h('p', {}, ...children);

// ---- What is slow ----

const HOT = 20; // percent of the time in one function: a hot spot
const MOST = 50; // percent of the time that a function and its callees have at least, where time concentrates
const MOST_NAMED = 3;

/**
 * `parse (12 %), lex (9 %)'.
 * @param {[number, number][]} parts functions and percentages
 * @returns {Child[]}
 */
const listed = (parts) => parts.flatMap(([f, part], i) => [i > 0 ? ', ' : '', functionLink(f), ` (${roughPercent(part)})`]);

/**
 * The function with the least time of those that have at least MOST percent with their callees; of several, the
 * deepest on the stacks, and of a cycle the one that is called first.  -1: none.
 */
function concentration() {
  const path = /** @type {number[]} */ ([]);
  for (let frame = rootOf(false).children()[0]; frame && shareOfFrame(frame) >= MOST; frame = frame.children()[0]) if (frame.kind === FUNCTION) path.push(frame.f);
  const { cycle } = functions;
  /** @param {number} f */
  const isEntry = (f) => cycle[f] === null || (path.find((g) => cycle[g] === cycle[f]) ?? f) === f;
  const candidates = byImportance().filter((f) => !isObject(f) && (totalShare(f) || 0) >= MOST && isEntry(f));
  candidates.sort((a, b) => (functions.total[a] || 0) - (functions.total[b] || 0) || path.lastIndexOf(b) - path.lastIndexOf(a));
  return candidates[0] ?? -1;
}

/** @param {number} top the function with the most own time */
function concentrationSentence(top) {
  const f = hasCalls ? concentration() : -1;
  if (f < 0 || f === top) return null;
  const callees = calleesOf(f).map((arc) => /** @type {[number, number]} */ ([data.arcs.to[arc], share(arcTime(arc), data.inclusive_total) || 0]));
  const largest = callees.filter(([, part]) => part >= 1).slice(0, MOST_NAMED);
  return paragraph(`${about}${roughPercent(totalShare(f))} of the time is in `, functionLink(f), ' and what it calls', ...(largest.length > 0 ? [': ', ...listed(largest)] : []), '.');
}

/** @param {number} f */
function timePerCall(f) {
  const calls = Number(functions.calls[f]) + Number(functions.self_calls[f]);
  const own = functions.self[f];
  return calls > 0 && own ? `, about ${shortTime(own / calls)} of own time each` : '';
}

/** @param {number} f */
function callsSentence(f) {
  const calls = functions.calls[f];
  if (!hasCounts) return 'The profile has no call counts.';
  if (objectOf(f) !== null) return `It is in ${objectOf(f)}, whose calls are not counted.`;
  if (Number(calls) === 0) return 'The profile has no calls of it: it was entered from outside, or its code was compiled without -pg.';
  return `It was called ${plural(calls ?? 0, 'time')}${timePerCall(f)}.`;
}

/** @param {number} f */
function ownTimeSentence(f) {
  const error = errorOf(f);
  const plusMinus = error === null ? '' : ` (±\u00a0${time(error)})`;
  return `Its own time, without what it calls, is ${time(functions.self[f])}${plusMinus} of ${timeWithUnit(data.self_total)}. `;
}

/** @param {number} f @returns {Child[]} */
function largestCaller(f) {
  if (isObject(f)) return objectTimes(f).slice(0, 1).flatMap(([caller]) => [', the largest part of it for ', functionLink(caller)]);
  const arcs = callersOf(f);
  return arcs.length === 0 ? [] : [arcs.length === 1 ? '; it is called only by ' : '; its largest caller is ', functionLink(data.arcs.from[arcs[0]])];
}

/**
 * What is slow, in one line.
 * @param {number[]} order
 */
function headline(order) {
  const [top] = order;
  const first = order.filter((f) => functions.self[f]).slice(0, MOST_ROWS);
  if (isDoubtful(top)) return [`Only ${plural(Math.round(allSamples), 'sample')}${allSamples < FEW_IN_ALL ? '' : `, fewer than ${FEW_SAMPLES} in each function`}: too few to say what is slow. The first is `, functionLink(top), '.'];
  if ((selfShare(top) || 0) >= HOT) return [functionLink(top), ` took ${roughPercent(selfShare(top))} of the time`, ...largestCaller(top), '.'];
  const sum = first.reduce((n, f) => n + (selfShare(f) || 0), 0);
  return [`No single hot spot: the ${first.length === MOST_ROWS ? 'ten' : String(first.length)} first functions took ${roughPercent(Math.min(100, sum))} of the time, `, functionLink(top), ` the most (${roughPercent(selfShare(top))}).`];
}

/** @param {number} f another object */
function objectSentence(f) {
  const times = objectTimes(f).slice(0, MOST_NAMED);
  return paragraph('It is another object, of which the profile has no functions. ', ...(times.length > 0 ? ['It ran for ', ...listed(times.map(([caller, own]) => [caller, share(own, data.self_total) || 0])), '.'] : []));
}

/** @param {number[]} order */
function slowCard(order) {
  const [top] = order;
  if (!hasTimes) return card('What is slow', '', paragraph('The profile has no samples, so it does not say where time was spent. It has call counts: see the functions and the call graph.'));
  const isHot = (selfShare(top) || 0) >= HOT && !isDoubtful(top);
  const causes = !isHot ? [] : isObject(top) ? [objectSentence(top)] : [paragraph(ownTimeSentence(top), callsSentence(top)), hasCounts && objectOf(top) === null ? callerSentence(top) : null];
  return card('What is slow', '', h('p', { class: 'headline' }, headline(order)), ...causes, concentrationSentence(isHot ? top : -1), isHot && hasCalls && !isObject(top) ? pathList(top) : null);
}

// ---- What changed ----

/** @typedef {ReturnType<typeof significantChanges>[0][0]} Change */

/** @param {Change} change */
function changeText({ row, scope }) {
  const [before, after] = [row[scope.before] ?? null, row[scope.after] ?? null];
  return [changedName(row), `: ${scope.name} ${time(before)} to ${timeWithUnit(after)}${growth(before, after)}`];
}

/** @param {Change} change */
function changeItem(change) {
  const isSlower = (change.row[change.scope.change] || 0) > 0;
  return h('li', {}, h('span', { class: `badge ${isSlower ? 'rough' : 'good'}` }, isSlower ? 'slower' : 'faster'), ' ', ...changeText(change));
}

/** What is on one side only has no significance. */
function onOneSide() {
  const parts = [
    { kind: 'new', side: /** @type {const} */ ('after') },
    { kind: 'gone', side: /** @type {const} */ ('before') },
  ].map(({ kind, side }) => {
    const rows = changes.filter((row) => row.kind === kind);
    const sum = rows.reduce((n, row) => n + (row[side] || 0), 0);
    return rows.length > 0 ? `${plural(rows.length, 'function')} with ${timeWithUnit(sum)} ${rows.length === 1 ? 'is' : 'are'} ${kind}. ` : '';
  });
  return parts.some(Boolean) ? paragraph(parts.join('')) : null;
}

function changeCard() {
  const both = significantChanges();
  const [first, ...others] = both.flat();
  const headlineText = first ? [...changeText(first), others.length > 0 ? `; and ${plural(others.length, 'other significant change')}.` : '.'] : ['No significant change.'];
  const items = both.flatMap((some) => some.slice(0, MOST_ROWS / 2)).slice(1).map(changeItem);
  return card('What changed', 'wide-6', h('p', { class: 'headline' }, sumSentence()), paragraph(...headlineText), h('ul', { class: 'plain-list' }, items), onOneSide(), runsNote(), samplesNote(), paragraph(h('a', { href: '#compare' }, 'Compare all functions')));
}

// ---- Who called it ----

/** @param {number} f */
function callerSentence(f) {
  const arcs = callersOf(f).filter((arc) => Number(data.arcs.calls[arc]) > 0);
  if (arcs.length === 0) return paragraph('No function is known to have called it: the program or a thread starts there, or code that does not count calls has called it.');
  const from = data.arcs.from[arcs[0]];
  const part = share(Number(data.arcs.calls[arcs[0]]), Number(functions.calls[f])) || 0;
  const each = callsPerCall(arcs[0]);
  if (arcs.length === 1) return paragraph('All calls came from ', functionLink(from), '.', each);
  return paragraph(`Of its ${plural(arcs.length, 'caller')}, `, functionLink(from), ` made ${roughPercent(Math.min(part, 100))} of the calls.`, each);
}

/**
 * How often the caller calls it each time: a large number is what to ask about.
 * @param {number} arc
 */
function callsPerCall(arc) {
  const from = data.arcs.from[arc];
  const callerCalls = Number(functions.calls[from]) + Number(functions.self_calls[from]);
  const each = callerCalls > 0 ? Number(data.arcs.calls[arc]) / callerCalls : 0;
  return each >= 1.5 ? ` That is ${each < 10 ? each.toFixed(1) : count(Math.round(each))} calls for each time that it was itself called (${count(callerCalls)}).` : '';
}

/** @param {number} f */
function pathList(f) {
  const all = heaviestPath(f);
  const path = all.slice(Math.max(0, all.findIndex((g) => functions.name[g] === 'main'))); // without what starts it
  if (path.length < 2) return [];
  const items = path.map((g, i) => h('li', {}, functionLink(g, i === path.length - 1 ? { class: 'name hot' } : {})));
  return [paragraph('The costliest path of calls:'), h('ol', { class: 'path' }, items)];
}

// ---- How sure ----

const FEW_IN_ALL = 100;

/** @param {number} top the function with the most own time */
function samplesSentence(top) {
  if (!isSampled) return paragraph(data.exact ? 'Everything was counted, and nothing sampled: these figures have no errors.' : 'The profile does not say how its figures were measured: they have no known error.');
  const error = 100 / Math.sqrt(allSamples || 1); // percent of the sum
  const level = allSamples < FEW_IN_ALL || isDoubtful(top) ? 'rough' : error <= 3 ? 'good' : 'fair';
  const n = Math.round(allSamples);
  return paragraph(
    h('span', { class: `badge ${level}` }, level),
    ` Times come from ${plural(n, 'sample')}, whose sum has a standard error of sampling of ${roughPercent(error)}; runs differ by more (--per-file). `,
    level === 'rough' ? `They are ${isDoubtful(top) ? 'too few to say what is slow' : 'enough to see the largest function, not to compare small ones'}: run the program longer, or give gprof the profiles of several runs.` : `The error of each function is in its row; fewer than ${FEW_SAMPLES} samples are marked “?”.`,
  );
}

/**
 * Other objects, with their shares of the time: `libc.so.6 (12 %), libm.so.6 (9 %)'.
 */
function largestObjects() {
  /** @type {Map<string, number>} */
  const shares = new Map();
  functions.self.forEach((self, f) => {
    const object = objectOf(f);
    if (object !== null && self) shares.set(object, (shares.get(object) || 0) + (selfShare(f) || 0));
  });
  const largest = Array.from(shares).sort((a, b) => b[1] - a[1]);
  return largest.slice(0, MOST_NAMED).map(([object, part]) => `${object} (${roughPercent(part)})`).join(', ');
}

function measuredSentence() {
  const own = functions.self.reduce((/** @type {number} */ sum, self, f) => sum + (objectOf(f) !== null ? 0 : self || 0), 0);
  const objects = largestObjects();
  const how = isSampled ? 'measured by recorded stacks' : 'as the profile states them';
  return paragraph(h('span', { class: 'badge good' }, isSampled ? 'measured' : data.exact ? 'counted' : 'stated'), ` Times with callees are ${how}. ${time(own)} of ${timeWithUnit(data.inclusive_total)} are in this program`, objects === '' ? '' : `; the others are in ${objects}`, '.');
}

/** @param {number[]} rows */
function inclusiveSentence(rows) {
  if (data.measured) return measuredSentence();
  const known = rows.filter((f) => functions.least[f] !== null && functions.most[f] !== null);
  if (known.length === 0) return null;
  const exact = known.filter((f) => /** @type {number} */ (functions.most[f]) - /** @type {number} */ (functions.least[f]) <= 0.1 * /** @type {number} */ (functions.most[f]));
  return paragraph(
    h('span', { class: 'badge estimated' }, 'estimated'),
    ` Times with callees assume that every call of a function costs the same. What holds without that assumption is the range from least to most: it is narrow (within 10\u00a0%) for ${exact.length} of the ${plural(known.length, 'function')} with the most time.`,
  );
}

/** @param {number} top @param {number[]} inclusive */
function sureCard(top, inclusive) {
  return card('How sure this is', '', hasTimes ? samplesSentence(top) : null, hasCounts ? paragraph(h('span', { class: 'badge good' }, 'exact'), ' Numbers of calls are counted, not sampled.') : null, hasTimes && hasCalls ? inclusiveSentence(inclusive) : null);
}

// ---- The ten that matter ----

/** @param {number} f */
function ownRow(f) {
  const error = errorOf(f);
  const part = selfShare(f);
  const reach = error === null ? 0 : share(error, data.self_total) || 0;
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, functionLink(f)),
    h('td', { class: 'bar-cell' }, bar(part, error === null ? null : [(part || 0) - reach, (part || 0) + reach])),
    h('td', { class: 'number' }, part === null ? '' : `${part.toFixed(1)}\u00a0%`),
    h('td', { class: 'number' }, time(functions.self[f])),
    h('td', { class: 'number quiet wide-only' }, error === null ? '' : `±\u00a0${time(error)}${isDoubtful(f) ? '\u00a0?' : ''}`),
    h('td', { class: 'number wide-only' }, Number(functions.calls[f]) ? count(functions.calls[f]) : ''),
  );
}

/** @param {number} f */
function inclusiveRow(f) {
  const [least, most] = [functions.least[f], functions.most[f]];
  const range = least === null || most === null ? null : `${time(least)} to ${time(most)}`;
  const ends = /** @type {[number, number] | null} */ (range === null ? null : [share(least, data.inclusive_total), share(most, data.inclusive_total)]);
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, functionLink(f), othersInCycle(f)),
    h('td', { class: 'bar-cell' }, bar(totalShare(f), ends)),
    h('td', { class: 'number' }, `${about}${(totalShare(f) || 0).toFixed(1)}\u00a0%`),
    h('td', { class: 'number' }, time(functions.total[f])),
    h('td', { class: 'number quiet wide-only' }, range),
  );
}

/**
 * @param {string} title
 * @param {Child | Child[]} explanation
 * @param {string[]} heads
 * @param {HTMLElement[]} rows
 */
function tableCard(title, explanation, heads, rows) {
  const head = h('tr', {}, heads.map((text, i) => h('th', { scope: 'col', class: i === 0 ? '' : i === 1 ? 'bar-cell' : i > 3 ? 'number wide-only' : 'number' }, text)));
  return card(title, 'wide-3', h('p', { class: 'quiet' }, ...[explanation].flat()), h('div', { class: 'scroll-x', tabindex: 0, role: 'group', 'aria-label': title }, h('table', { class: 'short' }, h('thead', {}, head), h('tbody', {}, rows))));
}

/** @param {number[]} order */
function ownTable(order) {
  const rows = order.filter((f) => functions.self[f]).slice(0, MOST_ROWS);
  return tableCard('Most own time', `${isSampled ? 'Measured by sampling' : data.exact ? 'Counted' : 'As the profile states it'}; without what the functions call.${isSampled ? ' The line at the end of a bar is the sampling error.' : ''}`, ['Function', 'Share of all time', '%', unit, 'Error', 'Calls'], rows.map(ownRow));
}

/** @param {number[]} rows */
function inclusiveTable(rows) {
  const measured = isSampled ? 'Measured by recorded stacks.' : 'As the profile states them.';
  const origin = data.measured ? measured : '≈: estimated from call counts. The line over a bar goes from the least to the most that is possible.';
  return tableCard('Most time with callees', origin, ['Function', 'Share of all time', '%', unit, data.measured ? '' : 'Least to most'], rows.map(inclusiveRow));
}

/**
 * The functions of all objects; of each cycle, whose members share one total, only that with the most own time.
 * @param {number[]} order
 */
function mostInclusive(order) {
  const { total, cycle } = functions;
  const seen = new Set();
  const timed = order.filter((f) => total[f] && !isOutside(f) && (cycle[f] === null || (!seen.has(cycle[f]) && seen.add(cycle[f]))));
  return timed.sort((a, b) => (total[b] || 0) - (total[a] || 0)).slice(0, MOST_ROWS);
}

/** @param {number} f */
function othersInCycle(f) {
  const cycle = functions.cycle[f];
  const members = cycle ? data.cycles[cycle - 1].members.length : 1;
  return members > 1 ? h('span', { class: 'quiet' }, ` and ${plural(members - 1, 'other')}`) : null;
}

// ---- What gprof said, and of what ----

function messagesCard() {
  if (data.messages.length === 0) return null;
  const items = data.messages.map((message) => h('li', {}, h('span', { class: `badge ${message.kind === 'warning' ? 'rough' : 'plain'}` }, message.kind), ` ${message.text}`));
  return card('What gprof remarked', 'wide-3', h('ul', { class: 'plain-list' }, items));
}

/** @param {[string, string | null][]} pairs */
function definitions(pairs) {
  return h('dl', {}, pairs.filter((pair) => pair[1]).flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));
}

/** ` in 300 samples, one every 10 ms' */
const samplesText = () => ` in ${plural(Math.round(allSamples), 'sample')}, one every ${shortTime(data.sample_time || 0)}`;

const FEW_INPUTS = 3;
const MOST_INPUTS = 1000;

/** How unequal profiles are, as --per-file says it, of numbers of samples. @param {number[]} samples @param {number} most */
function imbalance(samples, most) {
  const mean = samples.reduce((sum, n) => sum + n, 0) / samples.length;
  const deviation = Math.sqrt(samples.reduce((sum, n) => sum + (n - mean) ** 2, 0) / samples.length);
  return mean > 0 ? ` ${count(Math.min(...samples))} to ${plural(most, 'sample')}, ${mean.toFixed(2)} on average, deviation ${deviation.toFixed(2)}, imbalance ${(most / mean).toFixed(2)} (${cut(data.inputs[samples.indexOf(most)].path)}).` : '';
}

/** What each of several profiles has: ranks of a run, or its phases. */
function inputsCard() {
  const { inputs } = data;
  if (inputs.length < 2) return null;
  const samples = inputs.map((input) => Number(input.samples));
  const most = samples.reduce((n, m) => Math.max(n, m), 0);
  const rows = inputs.slice(0, MOST_INPUTS).map((input) => h('tr', {}, h('th', { scope: 'row' }, h('span', { class: 'name' }, cut(input.path))), h('td', { class: 'bar-cell' }, bar(share(Number(input.samples), most))), h('td', { class: 'number' }, count(input.samples)), h('td', { class: 'number' }, count(input.calls))));
  return tableCard(`${count(inputs.length)} profiles`, inputs.length > MOST_INPUTS ? `The first ${count(MOST_INPUTS)}.` : `Samples and calls of each.${imbalance(samples, most)}`, ['Profile', 'Samples', '', 'Calls'], rows);
}

/** Functions that vary between ranks or phases: own times, or (1) times with callees. @param {number} i */
function varyingCard(i) {
  const all = data.varying[i];
  const row = (/** @type {import('./data.js').Varying} */ v) => h('tr', {}, h('th', { scope: 'row' }, functionLink(v.function)), h('td', { class: 'bar-cell' }, bar(share(v.deviation, all[0].deviation))), h('td', { class: 'number' }, time(v.deviation)), h('td', { class: 'number' }, time(v.chance)), ...[time(v.mean), [v.highest_in, v.lowest_in].map((n) => cut(data.inputs[n].path)).join(', ')].map((text) => h('td', { class: 'number wide-only' }, text)));
  return all.length > 0 ? tableCard(`${i > 0 ? 'Times with callees' : 'Own times'} that vary`, 'Between profiles by more than chance: the standard deviation, that of chance, and the mean.', ['Function', 'Deviation', unit, 'Chance', 'Mean', 'Most, least in'], all.slice(0, MOST_ROWS).map(row)) : null;
}

function totalsCard() {
  const { inputs } = data;
  const outside = share(data.totals.outside, data.totals.samples);
  return card(
    'The profile',
    '',
    definitions([
      ['Program', data.image.path],
      ['Time', hasTimes ? `${timeWithUnit(allTime)}${isSampled ? samplesText() : data.exact ? ', counted' : ''}` : 'no samples'],
      ['Calls', hasCounts || !hasCalls ? plural(data.totals.calls, 'call') : 'not counted'],
      ['Functions', `${plural(functions.name.length, 'function')} with time or calls`],
      ['Outside', outside !== null && outside >= 0.05 ? `${roughPercent(outside)} of the samples were in no function of the program (in shared libraries, mostly)` : null],
      [inputs.length === 1 ? 'Profile' : `${count(inputs.length)} profiles`, inputs.length <= FEW_INPUTS ? inputs.map((input) => input.path).join(', ') : `${inputs[0].path} to ${inputs[inputs.length - 1].path}`],
      ['Machine', data.image.arch === 'none' ? null : data.image.arch],
      ['Build ID', data.image.build_id],
      ['Written by', data.tool],
    ]),
  );
}

// ---- Where it went ----

const STEM = 90; // percent: stacks begin alike for so many of the samples

/** The flame graph from where stacks begin to differ. */
function flameCard() {
  let root = rootOf(false);
  for (let [child] = root.children(); child && shareOfFrame(child) >= STEM && child.children().length > 0; [child] = root.children()) root = child;
  const title = root.parent ? `Where the time went below ${cut(nameOfFrame(root))}` : 'Where the time went';
  root.parent = null;
  const details = h('p', { class: 'status', role: 'status' });
  const icicle = new Icicle({ label: 'Call stacks', levels: FLAME_LEVELS, isCompared: true, root, choose: showFunction, describe: (frame) => details.replaceChildren(...described(frame, false)) });
  redraw = () => icicle.draw();
  return card(title, '', coloursNote(true), icicle.element, details, paragraph(h('a', { href: '#flame' }, 'All stacks in all their levels')));
}

/** What other objects did for functions of the program. */
function objectsCard() {
  const times = objectTimes();
  const all = times.reduce((sum, [, own]) => sum + own, 0);
  if (!data.measured || (share(all, data.self_total) || 0) < 1) return null;
  const rows = times.slice(0, MOST_ROWS).map(([f, own]) => h('tr', {}, h('th', { scope: 'row' }, functionLink(f)), h('td', { class: 'bar-cell' }, bar(share(own, data.self_total))), h('td', { class: 'number' }, `${(share(own, data.self_total) || 0).toFixed(1)}\u00a0%`), h('td', { class: 'number' }, time(own))));
  return tableCard('Most time in shared objects', [`Time in ${largestObjects()} by the function of the program that called there.`], ['Function', 'Share of all time', '%', unit], rows);
}

let redraw = () => {};

/** @returns {HTMLElement} */
function create() {
  const order = byImportance();
  const inclusive = mostInclusive(order);
  if (isEmpty) return h('div', { class: 'cards' }, card('No functions', 'wide-3', paragraph('The profile has neither time nor calls of any function.')), messagesCard(), totalsCard());
  const isDeep = hasTimes && hasCalls && nodeCount > 0;
  const own = hasTimes ? ownTable(order) : null;
  return h(
    'div',
    { class: 'cards' },
    hasComparison ? changeCard() : null,
    h('div', { class: 'column wide-4' }, slowCard(order), isDeep ? flameCard() : own),
    h('div', { class: 'column wide-2' }, sureCard(order[0], inclusive), totalsCard()),
    isDeep ? own : null,
    hasTimes && hasCalls ? inclusiveTable(inclusive) : null,
    objectsCard(),
    inputsCard(),
    varyingCard(0),
    varyingCard(1),
    messagesCard(),
  );
}

/** @type {import('./app.js').View} */
export const overview = { id: 'overview', title: 'Overview', create, show: () => redraw() };

// format.js - numbers as people read them, as --top prints them.
// SPDX-License-Identifier: GPL-3.0-or-later

import { data } from './data.js';

/** Decimals that show one sample. */
function decimalsOfTime() {
  const rate = data.sample_time ? 1 / data.sample_time : 100;
  let decimals = 2;
  for (let shown = 100; shown < Math.round(rate) && decimals < 6; shown *= 10) decimals++;
  return decimals;
}

const timeDecimals = decimalsOfTime();

/** What stands after a time. */
export const unit = data.unit === 'seconds' ? 's' : data.unit;

/** @param {number | null} value */
export function time(value) {
  return value === null ? '' : value.toFixed(timeDecimals);
}

/** @param {number | null} value */
export function timeWithUnit(value) {
  return value === null ? 'unknown' : `${time(value)}\u00a0${unit}`;
}

/** @param {number | null} value */
export function percent(value) {
  return value === null ? '' : value.toFixed(2);
}

/**
 * In a sentence: 47 %, 4.7 %, 0.47 %.
 * @param {number | null} value
 */
export function roughPercent(value) {
  if (value === null) return 'an unknown share';
  const decimals = value >= 10 || value === 0 ? 0 : value >= 1 ? 1 : 2;
  return `${value > 0 && value < 0.01 ? 'under 0.01' : value.toFixed(decimals)}\u00a0%`;
}

/**
 * 1,234,567; a mean of several runs, as in tables: 1,234.5.  (Much faster than toLocaleString, for rows that scroll.)
 * @param {import('./data.js').Count | null} value
 */
export function count(value) {
  if (value === null) return '';
  const isMean = typeof value === 'number' && !Number.isInteger(value);
  return (isMean ? value.toFixed(1) : String(value)).replace(/\B(?=(\d{3})+(\.|$))/g, ',');
}

/**
 * `1 call', `2 calls'.
 * @param {import('./data.js').Count} value
 * @param {string} word
 */
export function plural(value, word) {
  return `${count(value)}\u00a0${word}${Number(value) === 1 ? '' : 's'}`;
}

/** @param {number | null} value */
export function samples(value) {
  return value === null ? '' : value.toFixed(1);
}

const prefixes = [
  { name: '', factor: 1 },
  { name: 'm', factor: 1e3 },
  { name: 'µ', factor: 1e6 },
  { name: 'n', factor: 1e9 },
];

/**
 * The first prefix with which LARGEST is at least 1.
 * @param {number} largest
 */
export function prefixFor(largest) {
  if (data.unit !== 'seconds') return prefixes[0];
  return prefixes.find((prefix) => largest * prefix.factor >= 1) || prefixes[prefixes.length - 1];
}

/**
 * A short time with the prefix that suits it.
 * @param {number} value
 */
export function shortTime(value) {
  const prefix = prefixFor(value);
  const shown = value * prefix.factor;
  return `${shown.toFixed(shown < 10 ? 1 : 0)}\u00a0${prefix.name}${unit}`;
}

const MOST_CHARACTERS = 300;

/**
 * A name that is not too long to be shown.
 * @param {string} name
 */
export function cut(name) {
  return name.length > MOST_CHARACTERS ? `${name.slice(0, MOST_CHARACTERS)}…` : name;
}

// data.js - the profile as the page has it (src/export/html.c), much like --format=json, and look-ups in it.
// SPDX-License-Identifier: GPL-3.0-or-later

/**
 * A count; text if it is too large for a number.
 * @typedef {number | string} Count
 *
 * By function id; null where a value is not known.
 * @typedef {object} FunctionColumns
 * @property {string[]} name
 * @property {(string | null)[]} short null: as name
 * @property {string[]} raw as in the program
 * @property {(string | null)[]} file
 * @property {(number | null)[]} line
 * @property {(string | null)[]} address hexadecimal, after 0x
 * @property {(number | null)[]} samples
 * @property {(number | null)[]} self
 * @property {(number | null)[]} total
 * @property {(number | null)[]} least
 * @property {(number | null)[]} most
 * @property {(number | null)[]} error of self
 * @property {(Count | null)[]} calls null: not counted
 * @property {(Count | null)[]} self_calls
 * @property {(number | null)[]} cycle number; null: none
 *
 * By arc id.
 * @typedef {object} ArcColumns
 * @property {number[]} from
 * @property {number[]} to
 * @property {(Count | null)[]} calls null: not counted
 * @property {(number | null)[]} self
 * @property {(number | null)[]} children
 * @property {(number | null)[]} [in_entry] both together in the list of callers of `to'; null or missing: their sum
 *
 * Estimated or recorded call stacks: each node before its children; parent -1: a root.
 * @typedef {object} TreeColumns
 * @property {boolean} estimated
 * @property {number[]} kind 0: function, 1: cycle, 2: others, which are too small to be in the tree, 3: a name
 * @property {number[]} function id; of others their number, or 0
 * @property {number[]} parent
 * @property {number[]} self samples
 * @property {number | null} [sample_time] of one sample; missing: as in the profile
 * @property {(number | null)[]} [before] samples of all stacks that begin with the one of the node, before, in runs like those after; null: not known, or known only together with clones
 * @property {number[]} [changed] 1: these are more than before, -1: fewer, 0: that may be chance
 * @property {Record<number, string>} [names] of nodes of kind 3, by their `function'
 *
 * @typedef {object} Source
 * @property {string} path
 * @property {string} text
 * @property {number[]} line numbers of lines with code, ascending
 * @property {(number | null)[]} samples
 * @property {Count[]} calls of the functions that begin there
 *
 * Lines of a function near samples; below each the lines that were inlined there, and instructions.
 * @typedef {object} CodeRow
 * @property {string} kind line, inlined, instruction; gap, instruction_gap: some are left out
 * @property {string | null} file
 * @property {number | null} line
 * @property {string | null} address hexadecimal, after 0x
 * @property {string | null} text
 * @property {number | null} self
 * @property {number | null} total
 *
 * @typedef {{function: number, rows: CodeRow[]}} CodeFunction
 *
 * @typedef {object} ChangeRow
 * @property {string} name
 * @property {string} kind both, new, gone or total
 * @property {string | null} file after; of what is gone, before
 * @property {number | null} before
 * @property {number | null} after
 * @property {number | null} change
 * @property {number | null} error
 * @property {number | null} p
 * @property {number | null} [total-before] with callees; as all up to total-p missing without stacks on both sides
 * @property {number | null} [total-after]
 * @property {number | null} [total-change]
 * @property {number | null} [total-error]
 * @property {number | null} [total-p]
 * @property {Count | null} calls-before
 * @property {Count | null} calls
 * @property {string | null} moved-from file before; null: the same
 * @property {string | null} took-over gone callees, whose time it has now; null: none
 * @property {string | null} callers `+new -gone'; null: the same
 *
 * What changed, as --format=json has it (doc/comparison.schema.json).
 * @typedef {object} Comparison
 * @property {{image: Image, runs: number, samples: number | null}} before
 * @property {{runs: number, samples: number | null}} after
 * @property {{alpha: number}} tests
 * @property {{samples_before: number, samples: number}} [inclusive] stacks, if both sides have recorded some
 * @property {{status: string, reason: string | null, functions: number, of: string | null}} verdict
 * @property {ChangeRow[]} rows
 *
 * @typedef {{path: string, build_id: string | null, arch: string | null}} Image
 *
 * @typedef {{function: number, deviation: number, chance: number, mean: number, lowest_in: number, highest_in: number}} Varying
 *
 * @typedef {object} Data
 * @property {string} tool
 * @property {Image} image
 * @property {string} unit
 * @property {{samples: number | null, seconds: number | null, outside: number | null, calls: Count}} totals
 * @property {boolean} [exact] nothing was sampled
 * @property {boolean} [stated] the profile does not say how it was measured
 * @property {boolean} [signed] as stated, and figures can be negative
 * @property {boolean} measured inclusive times are measured by stacks, not estimated
 * @property {number | null} sample_time
 * @property {number | null} self_total
 * @property {number | null} inclusive_total
 * @property {{path: string, rate: number | null, samples: Count, calls: Count}[]} inputs
 * @property {{kind: string, text: string}[]} messages
 * @property {FunctionColumns} functions
 * @property {ArcColumns} arcs
 * @property {{id: number, members: number[]}[]} cycles
 * @property {TreeColumns} [tree]
 * @property {TreeColumns & {members: {thread: number[], number: number[], samples: number[]}}} [threads] the same stacks below the names of the threads that they are of, and the threads of names that several have; missing: one thread, or not known
 * @property {Varying[][]} varying functions whose own times, and whose times with callees, vary between profiles by more than chance
 * @property {Source[]} sources
 * @property {number} [bytes_per_bin] that samples of instructions are known by; 0: each is known
 * @property {CodeFunction[]} [code] the most own time first
 * @property {Comparison} [comparison]
 */

export const data = /** @type {Data} */ (JSON.parse(/** @type {HTMLElement} */ (document.getElementById('data')).textContent || '{}'));
export const functions = data.functions;

/** Whether figures vary by chance, as numbers of samples do. */
export const isSampled = !(data.exact || data.stated || data.signed);

/** All samples that times come from, and their time. */
export const allSamples = data.measured && data.sample_time ? (data.inclusive_total || 0) / data.sample_time : data.totals.samples || 0;
export const allTime = data.measured ? data.inclusive_total || 0 : data.totals.seconds || 0;

/** What stands before a time that is estimated. */
export const about = data.measured ? '' : '≈\u00a0';
export const functionCount = functions.name.length;

/** Arc ids grouped by one of their ends: those of function f are ids[start[f]] to before ids[start[f + 1]]. */
class ArcLists {
  /** @param {number[]} ends */
  constructor(ends) {
    this.start = new Uint32Array(functionCount + 1);
    this.ids = new Uint32Array(ends.length);
    for (const end of ends) this.start[end + 1] += 1;
    for (let f = 0; f < functionCount; f++) this.start[f + 1] += this.start[f];
    const next = this.start.slice();
    ends.forEach((end, arc) => {
      this.ids[next[end]++] = arc;
    });
  }

  /** @param {number} f */
  of(f) {
    return this.ids.subarray(this.start[f], this.start[f + 1]);
  }
}

const callees = new ArcLists(data.arcs.from);
const callers = new ArcLists(data.arcs.to);

/**
 * The time that an arc charges to its caller, as one of the caller's callees.
 * @param {number} arc
 */
export function arcTime(arc) {
  return (data.arcs.self[arc] || 0) + (data.arcs.children[arc] || 0);
}

/**
 * The same as one of the callee's callers.  Only measured recursion makes it another: callers have the time of the
 * outermost call of a function, callees that of the innermost, so that each of both lists adds up.
 * @param {number} arc
 */
export function callerTime(arc) {
  return data.arcs.in_entry?.[arc] ?? arcTime(arc);
}

/** @param {(arc: number) => number} timeOf @returns {(a: number, b: number) => number} */
const largerFirst = (timeOf) => (a, b) => timeOf(b) - timeOf(a) || Number(data.arcs.calls[b]) - Number(data.arcs.calls[a]) || a - b;

/**
 * Arcs from other functions, those with the most time first.
 * @param {number} f
 */
export function callersOf(f) {
  return Array.from(callers.of(f)).filter((arc) => data.arcs.from[arc] !== f).sort(largerFirst(callerTime));
}

/** @param {number} f */
export function calleesOf(f) {
  return Array.from(callees.of(f)).filter((arc) => data.arcs.to[arc] !== f).sort(largerFirst(arcTime));
}

/**
 * Calls that were never made do not count, but stacks also show calls that nothing counted.
 * @param {number} arc
 */
function isUsed(arc) {
  return Number(data.arcs.calls[arc]) > 0 || (data.measured && arcTime(arc) > 0);
}

/**
 * As --top counts them.
 * @param {number} f
 */
export function callerCount(f) {
  return callers.of(f).reduce((n, arc) => n + Number(data.arcs.from[arc] !== f && isUsed(arc)), 0);
}

/** @param {number} f */
export function calleeCount(f) {
  return callees.of(f).reduce((n, arc) => n + Number(data.arcs.to[arc] !== f && isUsed(arc)), 0);
}

/**
 * From a function without callers down to F, along the callers that were charged the most time.
 * @param {number} f
 */
export function heaviestPath(f) {
  const path = [f];
  const seen = new Set(path);
  for (;;) {
    const arc = callersOf(path[0]).find((a) => !seen.has(data.arcs.from[a]) && isUsed(a));
    if (arc === undefined) return path;
    path.unshift(data.arcs.from[arc]);
    seen.add(path[0]);
  }
}

/**
 * Whether both ends of an arc are in one cycle: then its calls have no time of their own.
 * @param {number} arc
 */
export function isInsideCycle(arc) {
  const cycle = functions.cycle[data.arcs.from[arc]];
  return cycle !== null && cycle === functions.cycle[data.arcs.to[arc]];
}

/**
 * The sampling error of the function's own time; null if it has none.
 * @param {number} f
 */
export function errorOf(f) {
  return functions.error[f] || null;
}

export const FEW_SAMPLES = 10;

/** @param {number} f */
export function isDoubtful(f) {
  const samples = functions.samples[f];
  return isSampled && samples !== null && samples > 0 && samples < FEW_SAMPLES;
}

/**
 * 100 times a part of a total; null if that has no meaning.
 * @param {number | null} part
 * @param {number | null} whole
 */
export function share(part, whole) {
  return part !== null && whole ? (100 * part) / whole : null;
}

/** @param {number} f */
export const selfShare = (f) => share(functions.self[f], data.self_total);

/** @param {number} f */
export const totalShare = (f) => share(functions.total[f], data.inclusive_total);

/** @type {Map<string, number[]> | undefined} */
let idsByName;

/** All functions with a name. @param {string} name */
export function functionsNamed(name) {
  if (!idsByName) {
    idsByName = new Map();
    for (let f = 0; f < functionCount; f++) {
      const ids = idsByName.get(functions.name[f]);
      if (ids) ids.push(f);
      else idsByName.set(functions.name[f], [f]);
    }
  }
  return idsByName.get(name) || [];
}

/**
 * The function of a link; -1 if there is none.
 * @param {string} name full, short or as in the program
 * @param {string | undefined} address if several functions have the name; else the one with the most time is meant
 */
export function findFunction(name, address) {
  const ids = functionsNamed(name);
  const exact = ids.find((f) => functions.address[f] === address);
  return exact ?? ids.slice().sort(moreImportantFirst)[0] ?? byImportance().find((f) => functions.short[f] === name || functions.raw[f] === name) ?? -1;
}

/** @param {number} f */
export function isNameShared(f) {
  return functionsNamed(functions.name[f]).length > 1;
}

/** @param {number} a @param {number} b */
function moreImportantFirst(a, b) {
  const { self, total, calls } = functions;
  return (self[b] || 0) - (self[a] || 0) || (total[b] || 0) - (total[a] || 0) || Number(calls[b]) - Number(calls[a]);
}

/** @type {number[] | undefined} */
let importance;

/** All functions, the most important first: as --top sorts them.  Do not change the list. */
export function byImportance() {
  return (importance ??= Array.from({ length: functionCount }, (_, f) => f).sort(moreImportantFirst));
}

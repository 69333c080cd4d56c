/** Words with a hyphen that name nothing; every other one is taken for a name. */
const HYPHENATED: ReadonlySet<string> = new Set(
  `gpu-hour gpu-hours gpu-equivalent gpu-equivalents right-size right-sized right-sizing time-slicing time-sliced non-idle
  over-provisioned over-sized under-used under-utilized long-running high-priority up-to-date month-to-date year-to-date
  day-to-day real-time multi-instance per-gpu per-node whole-gpu in-use read-only single-node multi-node co-pilot
  re-partition re-partitioned built-in so-called well-used low-risk high-risk low-use mig-enabled mig-capable`
    .split(/\s+/u)
    .filter(Boolean),
)

/** Names and numbers that are written like names: `512MiB`, `24h`, `2nd`, `1.5`, `09:41`, `2026-05-04T09:41:00Z`. */
const AMOUNT =
  /^(?:[\d.,:/-]+(?:k|K|M|%|GPU-h|GPU-hours?|TiB|TB|GiB|GB|MiB|MB|kW|W|ms|mo|min|mins|sec|secs|s|hrs?|h|days?|hours?|minutes?|months?|weeks?|d|w|st|nd|rd|th|am|pm|Z)?|\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?|\d+-(?:hour|day|minute|week|month)s?|USD[\d.,]+)$/u
/** What is written with a slash and is none: `GPU/h`, `and/or`. */
const JOINED = /^(?:and\/or|USD\/(?:mo|month|h|hour|day|GPU-h)|GPU\/h|[\d.,]+\/(?:mo|month|h|hour|day|GPU-h))$/iu
/** Of the trade, and of no cluster. */
const TERMS = /^(?:e\.g|i\.e|vs|U\.S|GPU-\d+|[A-Z]{1,4}\d?-?)$/u

/** Whether a token may be the name of something in a cluster: letters mixed with digits, hyphens, slashes or dots. */
export const isNameLike = (token: string): boolean =>
  /\p{L}/u.test(token) &&
  /[\d._/:@+-]/u.test(token) &&
  !AMOUNT.test(token) &&
  !JOINED.test(token) &&
  !TERMS.test(token) &&
  !HYPHENATED.has(token.toLowerCase())

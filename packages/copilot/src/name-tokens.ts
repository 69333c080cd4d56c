/** Words with a hyphen that name nothing; every other one is taken for a name. */
const HYPHENATED: ReadonlySet<string> = new Set(
  `gpu-hour gpu-hours gpu-equivalent gpu-equivalents right-size right-sized right-sizing time-slicing time-sliced non-idle
  over-provisioned over-sized under-used under-utilized long-running high-priority up-to-date month-to-date year-to-date
  day-to-day real-time multi-instance per-gpu per-node whole-gpu in-use read-only single-node multi-node co-pilot
  re-partition re-partitioned built-in so-called well-used low-risk high-risk low-use mig-enabled mig-capable`
    .split(/\s+/u)
    .filter(Boolean),
)

const UNIT =
  '(?:GPU-hours?|GPU-h|GPUs?|USD|tokens?|[TGMK]iB|[TGMK]B|kW|W|ms|mo|min|mins|sec|secs|hrs?|hours?|minutes?|seconds?|days?|weeks?|months?|[kKMBshdwZ]|st|nd|rd|th|am|pm|%)'
/** What is written like a name and is an amount, an instant or a unit: `512MiB`, `2nd`, `09:41`, `USD/GPU-h`, `tokens/s`. */
const AMOUNT = new RegExp(
  `^(?:(?:USD)?[\\d.,:/-]*(?:${UNIT})?(?:/${UNIT})*|\\d{4}-\\d{2}-\\d{2}T[\\d:.]+(?:Z|[+-]\\d{2}:\\d{2})?|\\d+-(?:hour|day|minute|week|month)s?|and/or)$`,
  'u',
)
/** Of the trade, and of no cluster. */
const TERMS = /^(?:e\.g|i\.e|vs|U\.S|GPU-\d+|[A-Z]{1,4}\d?-?)$/u

/** Whether a token may be the name of something in a cluster: letters mixed with digits, hyphens, slashes or dots. */
export const isNameLike = (token: string): boolean =>
  /\p{L}/u.test(token) &&
  /[\d._/:@+-]/u.test(token) &&
  !AMOUNT.test(token) &&
  !TERMS.test(token) &&
  !HYPHENATED.has(token.toLowerCase())

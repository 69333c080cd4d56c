/** What a person does who wants this changed, and on which page. */
const CHANGES: ReadonlyArray<readonly [verbs: string, page: string, label: string]> = [
  [
    'approve reject undo apply reclaim execute propose revert right-size rightsize repartition recut resize consolidate',
    '/actions',
    'Open the actions',
  ],
  [
    'book bump prioritize prioritise reorder preempt delete remove kill terminate evict restart reboot scale stop drain cordon uncordon move migrate reschedule shrink grow free release pause resume run start',
    '/actions',
    'Open the actions',
  ],
  ['acknowledge silence mute', '/alerts', 'Open the alerts'],
  ['dismiss restore', '/actions', 'Open the recommendations'],
  [
    'set change create add update edit rename enable disable increase decrease lower raise turn allow grant revoke invite connect disconnect reset configure install',
    '/settings/clusters',
    'Open the settings',
  ],
]
const VERBS = new Map(
  CHANGES.flatMap(([verbs, page, label]) => verbs.split(' ').map((verb) => [verb, { page, label }] as const)),
)

/** Before which an order begins: "please", "can you", "go ahead and". */
const LEADING =
  /^(?:(?:ok|hey|hi|now|please|pls|plz|just|kindly|go ahead and|can you|could you|would you|will you|i want you to|i need you to|you must|you should|we should|let's|lets|septet)[\s,]+)+/u
const JOINT = /(?:,|;|\.|\band\b|\bthen\b|\balso\b|\bplease\b)\s+(?:then |also |please |now )*/u

/** In lower case; the kill switch is a thing, and no order. */
const simplified = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/\bkill[- ]?switch\b/gu, 'acting')
    .replaceAll(/\bget rid of\b/gu, 'remove')

const wordsOf = (text: string): readonly string[] =>
  text
    .split(/[\s,;:!?()"“”'`]+/u)
    .map((word) => word.replaceAll(/^[.\-/]+|[.\-/]+$/gu, ''))
    .filter((word) => word !== '')

/** Where a person makes the change that is asked for; undefined where none is. Names of the cluster are not in the text. */
export function changeAsked(
  text: string,
): { readonly verb: string; readonly page: string; readonly label: string } | undefined {
  for (const clause of simplified(text).trim().split(JOINT)) {
    const [first = '', second] = wordsOf(clause.trim().replace(LEADING, ''))
    const found = VERBS.get(first)
    // "free GPUs", "start time", "running jobs" alone name a thing; with an object they are orders.
    const isNoun = NOUNS.has(first) && (second === undefined || AFTER_NOUN.has(second) || /^\d/u.test(second))
    if (found !== undefined && !isNoun) return { verb: first, ...found }
  }
  return undefined
}

const NOUNS = new Set(['free', 'start', 'run', 'change', 'move', 'set', 'release', 'reclaim', 'idle', 'shrink'])
const AFTER_NOUN = new Set([
  'gpu',
  'gpus',
  'mig',
  'slices',
  'instances',
  'partitions',
  'capacity',
  'time',
  'rate',
  'candidates',
])

/** What a question speaks of: each idea with the words that people have for it. A word stands under one idea only. */
const IDEAS: Readonly<Record<string, string>> = {
  busy: 'busy busier busiest utilization utilisation utilized utilised utilize usage used load loaded utilizations',
  enough: 'enough target goal aim',
  trend: 'trend trends history chart graph develop developed',
  allocated: 'allocated allocation allocate assigned',
  effective: 'effective effectively effectiveness',
  coverage: 'coverage covered',
  fragmented: 'fragmented fragmentation fragment',
  stranded: 'stranded stranding strand',
  capacity: 'capacity inventory',
  health: 'health healthy operational ok okay wrong problem problems issue issues status',
  broken: 'broken fault faults faulty xid defect defective failing withheld unhealthy',
  telemetry: 'telemetry metrics metric measured unmeasured measurement exporter reporting report trusted trust dcgm',
  cost: 'cost costs costing spend spends spending spent paid pay paying price dollars money bill expensive expense expenses usd priciest',
  idle: 'idle idles idling unused nothing lazy',
  waste: 'waste wasted wastes wasting wasteful',
  unallocated: 'unallocated unassigned unclaimed',
  oversized: 'oversized oversize overprovisioned',
  forecast: 'forecast forecasts predicted prediction projected projection expected',
  budget: 'budget budgets',
  run: 'run running runs ran active',
  wait: 'wait waits waiting waited pending queue queued queues queueing stuck backlog',
  longest: 'longest oldest',
  hours: 'hours gpu-hours',
  start: 'start starts shorten shortens schedule scheduled shorter unblock unblocks',
  hold: 'hold holds holding held occupy occupies occupying',
  size: 'size sized sizes sizing right-size rightsize smaller',
  fit: 'fit fits fitting room placed space',
  free: 'free available availability',
  layout: 'layout layouts partitioned partitioning geometry cut sliced',
  recommend:
    'recommend recommends recommendation recommendations recommended suggest suggestion suggestions suggested advice advise proposals opportunities improve',
  next: 'next',
  biggest: 'biggest largest',
  saving: 'save saves saved saving savings',
  verified: 'verified realized realised achieved proven',
  freed: 'freed',
  potential: 'potential potentially possible estimated estimate',
  approve: 'approval approvals approve approved undecided',
  fail: 'fail fails failed failure failures',
  action: 'action actions change changes changed changing',
  septet: 'septet',
  act: 'act acts acting allowed permission permitted',
  alert: 'alert alerts firing alarm alarms attention',
  clusters: 'clusters',
  mean: 'mean means count counts considered defined definition meaning called',
  answer: 'answer answers help questions question ask know',
  reclaim: 'reclaim reclaimed reclaiming release',
  repartition: 'repartition repartitioning recut',
  share: 'sharing time-slicing timeslicing',
  consolidate: 'consolidate consolidation',
  reschedule: 'reschedule rescheduling',
  split: 'distribution breakdown split mix',
  none: 'none without missing no lack lacks',
}

/** Words that ask, and say nothing of what. They tell apart only what nothing else does. */
const ASKING: Readonly<Record<string, string>> = {
  who: 'who whom whose',
  why: 'why reason reasons cause causes because',
  where: 'where find located location',
  long: 'long duration',
  could: 'could can',
  when: 'when',
  many: 'many number',
  most: 'most top highest worst',
  least: 'least lowest less',
  now: 'now currently current right moment',
  gpu: 'gpu gpus accelerator accelerators card cards',
  mig: 'mig partition partitions instance instances slice slices',
  profile: 'profile profiles',
  work: 'work workload workloads job jobs pod pods process',
  cluster: 'cluster fleet',
  node: 'node nodes host hosts machine machines server servers',
  namespace: 'namespace namespaces project projects',
  tenant: 'tenant tenants team teams department departments',
  model: 'model models type types',
  pool: 'pool pools',
  class: 'class classes kind kinds',
}

const FILLERS =
  'a an the of for on in at to is are was were be been being do does did have has had we our us i my me you your it its they them their there this that these those and or but so please show tell give list get see which what how much would should will shall may might with by from as than about any all each every some just also then only more very over per if up out still actually really exactly s re ve ll hey hi hello thanks thank need needs want wants going go come happened happen happening between during since make makes one ones else instead against into it’s let look looking like explain describe anything something someone somebody ever yet already not isn’t aren’t time times often amount share percent percentage rate overall total in-use because-of here worth using use get’s gets put level quickly much above below goes stand stands lost step steps far brings bring requests request candidates everything per uses'

/** Said in several words. */
const PHRASES: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(?:sitting|sit|sits|lying) (?:around|idle)\b|\bdo(?:es|ing)? nothing\b|\bnot (?:being )?used\b/gu, ' idle '],
  [/\bover time\b/gu, ' trend '],
  [/\bhow busy\b/gu, ' busy '],
  [/\bhow (?:much|many) (?:gpus? )?(?:do we|have we) (?:own|have|got)\b/gu, ' how many capacity '],
  [/\bcounts? as\b/gu, ' mean '],
  [/\bno longer\b/gu, ' '],
  [/\bright[- ]siz(?:e|ed|ing)\b/gu, ' size '],
  [/\bend of (?:the |this )?month\b/gu, ' forecast '],
  [/\bwill (?:we spend )?(?:this|the|next) month(?: cost)?\b/gu, ' forecast cost '],
  [/\b(?:per|a|each) month\b/gu, ' '],
  [/\bnot enough\b/gu, ' enough '],
  [/\b(?:too big|too large|over-?provisioned|over-?sized)\b/gu, ' oversized '],
  [/\btime[- ]slic(?:e|ing)\b/gu, ' sharing '],
  [/\bneed(?:s)? attention\b/gu, ' alerts '],
  [/\bget rid of\b/gu, ' remove '],
]

const meanings = new Map<string, string>()
const hard = new Set(Object.keys(IDEAS))
for (const [idea, words] of [...Object.entries(IDEAS), ...Object.entries(ASKING)]) {
  for (const word of words.split(' ')) meanings.set(word, idea)
}
for (const word of FILLERS.split(' ')) if (!meanings.has(word)) meanings.set(word, '')

/** The idea of a word, an empty text for one that says nothing, undefined for one that is not known. */
export const meaningOf = (word: string): string | undefined => meanings.get(word)

/** Whether an idea says what is asked; the others only tell apart what nothing else does. */
export const isHard = (idea: string): boolean => hard.has(idea)

/** A question in lower case, with one word for what is said in several. */
export const simplified = (question: string): string =>
  PHRASES.reduce((text, [phrase, word]) => text.replaceAll(phrase, word), question.toLowerCase().replaceAll('’', "'"))

/** Its words: names keep what Kubernetes lets them be made of. */
export const wordsOf = (text: string): readonly string[] =>
  text
    .split(/[\s,;:!?()"“”'`]+/u)
    .map((word) => word.replaceAll(/^[.\-/]+|[.\-/]+$/gu, ''))
    .filter((word) => word !== '')

import { correctedWith } from './typos.ts'

/** What a question speaks of: each idea with the words that people have for it. A word stands under one idea only. */
const IDEAS: Readonly<Record<string, string>> = {
  busy: 'busy busier busiest utilization utilisation utilized utilised utilize usage used load loaded utilizations util utils using usages occupancy hot',
  enough: 'enough target goal aim',
  trend: 'trend trends trended history chart graph develop developed curve',
  peak: 'peak peaks quiet quietest quieter',
  allocated: 'allocated allocation allocate assigned alloc allocs',
  effective: 'effective effectively effectiveness',
  coverage: 'coverage covered',
  fragmented: 'fragmented fragmentation fragment',
  stranded: 'stranded stranding strand',
  capacity: 'capacity inventory',
  health: 'health healthy operational ok okay wrong problem problems issue issues status ready',
  broken: 'broken fault faults faulty error errors defect defective failing withheld unhealthy dead bad down crashed',
  telemetry:
    'telemetry metrics metric measured unmeasured measurement exporter reporting report trusted trust dcgm unknown',
  xid: 'xid xids ecc',
  cost: 'cost costs costing spend spends spending spent paid pay paying price dollars money bill billed expensive expense expenses usd priciest burn burning burns charged invoice',
  hourly: 'hourly rate rates tariff prices priced',
  idle: 'idle idles idling unused nothing lazy untouched zombie zombies inactive dormant',
  waste: 'waste wasted wastes wasting wasteful hoard hoards hoarding',
  unallocated: 'unallocated unassigned unclaimed',
  oversized: 'oversized oversize overprovisioned overkill',
  forecast: 'forecast forecasts predicted prediction projected projection expected outlook',
  budget: 'budget budgets overspend overspending',
  run: 'run running runs ran active',
  wait: 'wait waits waiting waited pending queue queued queues queueing stuck backlog blocked unscheduled unschedulable',
  longest: 'longest oldest',
  hours: 'hours gpu-hours',
  start: 'start starts shorten shortens schedule scheduled shorter unblock unblocks',
  hold: 'hold holds holding held occupy occupies occupying hog hogs hogging grab grabs grabbed grabbing',
  owner: 'owner owners owns own owned belongs belong',
  size: 'size sized sizes sizing right-size rightsize smaller',
  memory: 'memory vram oom framebuffer mem',
  reading: 'temperature temperatures temp temps power watts watt wattage clock clocks throttle throttled throttling',
  fit: 'fit fits fitting room placed space',
  free: 'free available availability headroom spare vacant',
  layout: 'layout layouts partitioned partitioning geometry cut sliced carved carve',
  mode: 'shared mode modes',
  recommend:
    'recommend recommends recommendation recommendations recommended suggest suggestion suggestions suggested advice advise proposals opportunities improve optimize optimise tips rec recs reco recos',
  next: 'next',
  biggest: 'biggest largest',
  saving: 'save saves saved saving savings',
  verified: 'verified realized realised achieved proven',
  freed: 'freed',
  potential: 'potential potentially possible estimated estimate est',
  approve: 'approval approvals approve approved undecided',
  fail: 'fail fails failed failure failures reverted rolled',
  action: 'action actions change changes changed changing touch touched ',
  septet: 'septet',
  act: 'act acts acting allowed permission permitted',
  reserved: 'reservation reservations reserve reserved appointment appointments booking bookings booked',
  alert: 'alert alerts firing alarm alarms attention fire fires paged',
  rule: 'rule rules threshold thresholds',
  policy: 'policy policies',
  fresh: 'fresh freshness stale age old updated',
  clusters: 'clusters',
  mean: 'mean means count counts considered defined definition meaning called',
  answer: 'answer answers help helps question questions ask know',
  document: 'pdf reports document',
  reclaim: 'reclaim reclaimed reclaiming release',
  repartition: 'repartition repartitions repartitioning recut',
  share: 'sharing time-slicing timeslicing',
  consolidate: 'consolidate consolidation',
  reschedule: 'reschedule rescheduling',
  split: 'distribution breakdown split mix',
  ended: 'ended end finished finish completed complete',
  scenario: 'what-if scenario scenarios simulate simulation',
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
  since: 'since',
  many: 'many number',
  most: 'most top highest worst max maximum',
  least: 'least lowest less',
  now: 'now currently current right moment',
  gpu: 'gpu gpus accelerator accelerators card cards',
  mig: '1g 2g 3g 4g 7g mig partition partitions instance instances slice slices',
  profile: 'profile profiles',
  work: 'work workload workloads job jobs pod pods process',
  cluster: 'cluster fleet',
  node: 'node nodes host hosts machine machines server servers box boxes',
  namespace: 'namespace namespaces project projects ns',
  tenant: 'tenant tenants team teams department departments dept depts',
  model: 'model models type types',
  pool: 'pool pools',
  class: 'class classes kind kinds',
  average: 'average avg typical typically median',
}

const FILLERS =
  'a an the of for on in at to is are was were be been being do does did have has had we our us i my me you your it its they them their there this that these those and or but so please show tell give list get see which what how much would should will shall may might with by from as than about any all each every some just also then only more very over per if up out still actually really exactly s re ve ll hey hi hello thanks thank need needs want wants going go come happened happen happening between during make makes one ones else instead against into let look looking like explain describe anything something someone somebody ever yet already not isn time times often amount left export draw apply applies force data last share percent percentage overall total in-use because-of here worth use uses put level quickly above below goes stand stands lost step steps far brings bring requests request candidates everything pls plz thx guys hmm gonna wanna me id im ive gives got gets gone far sort across whole both too again anywhere anyone self currently-in after while once either or neither whether sure possible-to same compared compare compares vs versus whats several off day days connected upcoming planned tomorrow tonight weekend thanks finally say says said came new here stuff rn atm btw tbh doesn didn aren arent isnt dont doesnt won couldn wouldn hasn haven weren notice noticed maybe perhaps probably basically literally actual im people folks guy person others user users thing things way ways kind-of sort-of soon later ago % $$ $ € ok-so honestly quick briefly summarised summarized summary listed bit bits lot lots d m t don cant cannot shouldnt wouldnt havent wont theyre youre weve tf wth fwiw tldr y r u ur w k b'

/** Said in several words. */
const PHRASES: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(who|what|where|when|how|there|that)s\b/gu, '$1 s'],
  [/\bwhat (?:if|happens if|would happen if)\b/gu, ' what-if '],
  [/\bkill[- ]?switch\b/gu, ' acting allowed '],
  [/\bgpu #?(\d{1,2}) (?:of|on|in) (?:node |host )?([a-z0-9][\w.-]*)/gu, ' $2#$1 '],
  [/\b(?:monthly|weekly|a|the) report\b/gu, ' pdf '],
  [
    /\b(?:sitting|sit|sits|lying) (?:around|idle|on (?:it|them))\b|\bdo(?:es|ing)? nothing\b|\bnot (?:being )?used\b/gu,
    ' idle ',
  ],
  [/\b(?:nobody|no one|noone)(?:'s| is)? (?:is )?us(?:es|ing)\b|\bnever (?:touched|used|uses)\b/gu, ' idle '],
  [/\bover time\b|\bgone? (?:up|down)(?: or (?:up|down))?\b/gu, ' trend '],
  [/\bhow busy\b/gu, ' busy '],
  [/\bhow full\b/gu, ' allocated '],
  [
    /\bhow many (?:\w+ )?(gpus?|cards?|accelerators?|nodes?|hosts?|machines?|servers?)\b[^?]*?\b(?:do we|have we|we)\b(?: \w+)? (?:own|have|got)\b/gu,
    ' how many $1 capacity ',
  ],
  [/\bhow (?:much|many) (?:gpus? )?(?:do we|have we) (?:own|have|got)\b/gu, ' how many capacity '],
  [/\b(?:gpu|node|card)s? count\b|\bcount of\b/gu, ' how many capacity '],
  [/\bcounts? as\b/gu, ' mean '],
  [/\bno longer\b/gu, ' '],
  [/\bright[- ]siz(?:e|ed|ing)\b/gu, ' size '],
  [/\bend of (?:the |this )?month\b|\bmonth[- ]end\b|\beom\b/gu, ' forecast '],
  [/\bwill (?:we spend )?(?:this|the|next) month(?: cost)?\b/gu, ' forecast cost '],
  [/\b(?:per|an|each|every) hour\b/gu, ' hourly '],
  [/\b(?:per|a|each) month\b/gu, ' '],
  [/\bnot enough\b/gu, ' enough '],
  [/\bblow (?:through )?(?:the |our )?budget\b/gu, ' over budget '],
  [/\b(?:too big|too large|over-?provisioned|over-?sized|over-?requested)\b/gu, ' oversized '],
  [/\btime[- ]slic(?:e|ing|ed)\b/gu, ' sharing '],
  [/\bneed(?:s)? attention\b/gu, ' alerts '],
  [/\blow[- ]hanging fruits?\b|\bquick wins?\b/gu, ' recommend '],
  [/\brolled? back\b/gu, ' reverted '],
  [/\bget rid of\b/gu, ' remove '],
  [/\bbreak(?:ing)?( [^?.]{0,30}?)? down\b/gu, ' breakdown$1 '],
  [/\b(?:sets?|setting) (?:us|me|you) back\b/gu, ' cost '],
  [/\bout[ -]of[ -](?:order|service)\b/gu, ' broken '],
  [
    /\b(?:nobody|no one|noone)(?: (?:has|had|ever))? (?:requested|asked for|claimed|wanted|reserved)\b/gu,
    ' unallocated ',
  ],
  [/\b(?:handed|given|giving)[ -]out\b|\bspoken[ -]for\b/gu, ' allocated '],
  [/\b(?:add|sum|tally)(?:ed)? up\b/gu, ' total '],
  [/\bset aside\b|\bblocked off\b/gu, ' reserved '],
  [/\bon[ -]call\b/gu, ' oncall '],
  [/\bup[ -]to[ -]date\b/gu, ' fresh '],
  [/\b(?:stand|standing|stuck|wait|waiting) in line\b/gu, ' waiting queue '],
  [/\bsign(?:ed|ing)?[ -]?offs?\b/gu, ' approval '],
]

const meanings = new Map<string, string>()
const hard = new Set(Object.keys(IDEAS))
for (const [idea, words] of [...Object.entries(IDEAS), ...Object.entries(ASKING)]) {
  for (const word of words.split(' ')) meanings.set(word, idea)
}
for (const word of FILLERS.split(' ')) if (!meanings.has(word)) meanings.set(word, '')

/** The idea of a word, an empty text for one that says nothing, undefined for one that is not known. */
export const meaningOf = (word: string): string | undefined => meanings.get(word)

/** The idea of a word that is not known, where only one that is known is a slip of the finger away from it. */
export const meaningOfTypo = correctedWith(new Map([...meanings].filter(([, idea]) => idea !== '')))

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

/** Every word that is known by what it means or that it says nothing. */
export const knownWords = (): readonly string[] => [...meanings.keys()]

/** What a sentence may say of something, each state with the words for it. A word stands in one place only. */
const STATE_WORDS = {
  busy: 'busy busier busiest utilization utilisation utilized utilised utilize usage used load loaded utilizations using occupancy',
  idle: 'idle idles idling unused nothing inactive',
  waste: 'waste wasted wastes wasting wasteful',
  allocated: 'allocated allocation allocate assigned',
  unallocated: 'unallocated unassigned unclaimed',
  effective: 'effective effectively effectiveness',
  stranded: 'stranded stranding strand',
  fragmented: 'fragmented fragmentation fragment',
  oversized: 'oversized oversize overprovisioned',
  free: 'free available availability',
  broken: 'broken fault faults faulty error errors defect defective failing withheld unhealthy bad down',
  run: 'run running runs ran active',
  wait: 'wait waits waiting waited pending queue queued queues queueing backlog blocked unscheduled unschedulable',
  forecast: 'forecast forecasts predicted prediction projected projection expected',
  budget: 'budget budgets overspend overspending',
  verified: 'verified realized realised achieved proven',
  potential: 'potential potentially possible estimated estimate est',
  freed: 'freed',
  fail: 'fail fails failed failure failures reverted rolled',
  approve: 'approval approvals approve approved undecided',
  saving: 'save saves saved saving savings',
  hold: 'hold holds holding held occupy occupies occupying',
} as const satisfies Readonly<Record<string, string>>

/** What is counted. */
const NOUN_WORDS = {
  gpu: 'gpu gpus accelerator accelerators card cards',
  node: 'node nodes host hosts machine machines server servers',
  work: 'work workload workloads job jobs pod pods process',
  namespace: 'namespace namespaces project projects',
  tenant: 'tenant tenants team teams department departments',
  clusters: 'clusters',
  cluster: 'cluster fleet',
  mig: '1g 2g 3g 4g 7g mig partition partitions instance instances slice slices',
  alert: 'alert alerts firing alarm attention fire fires',
  action: 'action actions change changes changed changing touch touched',
  recommend:
    'recommend recommends recommendation recommendations recommended suggest suggestion suggestions suggested advice advise proposals opportunities improve optimize optimise',
  pool: 'pool pools',
  profile: 'profile profiles',
} as const satisfies Readonly<Record<string, string>>

/** Known, and neither: none of these names anything of a cluster. */
const PLAIN =
  'a about above across act acting acts actually after again against age ago aim all allowed already also amount an and answer answers any anyone anything anywhere applies apply appointment appointments are aren as ask at average avg be because been being belong belongs below between biggest bill billed booked booking bookings both breakdown bring brings but by called came can candidates cannot capacity cause causes charged chart class classes clock clocks come compare compared compares complete completed connected considered consolidate consolidation cost costing costs could couldn count counts coverage covered current currently curve cut d data day days dcgm defined definition describe develop developed did didn distribution do document does doesn dollars don draw duration during each ecc either else end ended enough ever every everything exactly expense expenses expensive explain export exporter far find finish finished fit fits fitting for force framebuffer fresh freshness from geometry get give go goal goes going gpu-hours graph had happen happened happening has hasn have haven health healthy help helps here highest history hourly hours how i id if in in-use instead into inventory is isn issue issues it its just kind kinds know lack lacks largest last later layout layouts least left less let level like list listed ll located location long longest look looking lowest m make makes many max maximum may me mean meaning means measured measurement median memory metric metrics might missing mix mode model models modes moment money more most much need needs neither new next no none not now number of off often old oldest on once one ones only oom operational or others our out over overall own owned owner owners owns paid partitioned partitioning pay paying pdf peak peaks per percent percentage permission permitted placed planned policies policy power price priced prices problem problems put question questions quickly quiet quieter quietest rate rates re ready really reason reasons reclaim reclaimed reclaiming recut release repartition repartitioning repartitions report reporting reports request requests reschedule rescheduling reservation reservations reserve reserved right right-size rightsize room rule rules s said same say says scenario scenarios schedule scheduled see self septet several shall share shared sharing shorten shortens shorter should show simulate simulation since size sized sizes sizing sliced smaller so some something soon sort space spend spending spends spent split stale stand stands start starts status step steps still summarised summarized summary sure t target tariff telemetry tell temperature temperatures than that the their them then there these they this those threshold thresholds throttle throttled throttling time time-slicing times timeslicing to tomorrow tonight too top total trend trended trends trust trusted type types typical typically unblock unblocks unknown unmeasured up upcoming updated us usd use user users uses ve versus very vram vs want wants was wasn watt wattage watts way ways we weekend were weren what what-if whats when where whether which while who whole whom whose why will with without won worst worth would wouldn wrong xid xids you your'

const meanings = new Map<string, string>(PLAIN.split(' ').map((word) => [word, '']))
for (const [idea, words] of [...Object.entries(STATE_WORDS), ...Object.entries(NOUN_WORDS)]) {
  for (const word of words.split(' ')) meanings.set(word, idea)
}

/** States that a sentence may say only of what a result says them of. */
export const STATES: ReadonlySet<string> = new Set(Object.keys(STATE_WORDS))
export const NOUNS: ReadonlySet<string> = new Set(Object.keys(NOUN_WORDS))

/** The state or noun that a word stands for, an empty text for another known word, undefined for one that is not known. */
export const meaningOf = (word: string): string | undefined => meanings.get(word)

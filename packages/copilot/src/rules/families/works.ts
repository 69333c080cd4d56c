import { plural, agree } from '@septet/domain/words'

import type { Family } from '../family.ts'
import { figure, quoted } from '../phrases.ts'
import { gpusWords, lasted, listing, type Listing } from './listing.ts'

const LISTINGS: readonly Listing[] = [
  {
    id: 'idle-now',
    about: 'what is held and idle now',
    asks: [
      'Which notebooks are idle in {namespace} since Monday?',
      'What sits idle right now?',
      'What is idle?',
      'Which {class} are idle?',
      'How many workloads are idle now?',
      'Which GPUs are idle now?',
      'Which running workloads are idle?',
      'Where is nothing running on a held GPU?',
    ],
    status: 'running',
    sort: 'idleCost',
    idle: true,
    by: ({ holds, idleCost }) => ({
      value: holds !== null && holds.idle > 0 ? holds.idle : null,
      because: idleCost.because,
    }),
    counts: (total, rows) => {
      const idle = rows.reduce((sum, { holds }) => sum + (holds?.idle ?? 0), 0)
      return `${plural(total, 'workload')} ${agree(total, 'holds', 'hold')} ${rows.length < total ? 'at least ' : ''}${gpusWords(idle)} idle`
    },
    first: ({ id, holds }) => `${quoted(id)} has the costliest idle time: it holds ${gpusWords(holds?.idle ?? 0)} idle`,
    none: 'no such workload is known to hold an idle GPU',
  },
  {
    id: 'idle-most',
    about: 'who idles most',
    asks: [
      'Who idles most?',
      'Which workloads idle most in namespace {namespace}?',
      'Who wastes most?',
      'Most expensive idle workloads',
      'Which workloads hold GPUs idle?',
      'Who holds idle GPUs?',
      'Which {class} waste most?',
    ],
    status: 'running',
    sort: 'idleCost',
    by: ({ idleCost }) => idleCost,
    first: ({ id, idleCost }) =>
      idleCost.value === 0
        ? 'no workload held an idle GPU'
        : `${quoted(id)} wasted the most while holding idle GPUs: ${figure(idleCost)}`,
    none: 'no workload holds a GPU',
  },
  {
    id: 'most-expensive',
    about: 'most expensive workloads',
    asks: [
      'What are the most expensive workloads?',
      'Which workloads cost most?',
      'Which job spends most in {namespace}?',
      'Top 5 workloads by cost',
    ],
    status: 'running',
    sort: 'cost',
    by: ({ cost }) => cost,
    first: ({ id, cost }) => `${quoted(id)} cost the most: ${figure(cost)}`,
    none: 'no workload holds a GPU',
  },
  {
    id: 'longest-running',
    about: 'what has run longest',
    asks: ['What has been running longest?', 'Which is the longest running job?', 'Oldest running workloads'],
    status: 'running',
    sort: 'duration',
    first: ({ id, duration: seconds }) => `${quoted(id)} has been running longest: ${lasted(seconds)}`,
    none: 'nothing runs',
  },
  {
    id: 'longest-waiting',
    about: 'what has waited longest',
    asks: ['What has been waiting longest?', 'Which job is stuck longest in the queue?', 'Longest pending workloads'],
    status: 'queued',
    sort: 'duration',
    first: ({ id, duration: seconds }) => `${quoted(id)} has been waiting longest: ${lasted(seconds)}`,
    none: 'nothing waits',
  },
  {
    id: 'busiest',
    about: 'busiest workloads',
    asks: ['Which workloads are busiest?', 'Which jobs have the highest utilization?', 'Busiest pods'],
    status: 'running',
    sort: 'busy',
    by: ({ busy }) => busy,
    first: ({ id, busy }) => `${quoted(id)} was busiest: ${figure(busy)}`,
    none: 'nothing runs',
  },
  {
    id: 'least-busy',
    about: 'least busy workloads',
    asks: ['Which workloads are least busy?', 'Which jobs have the lowest utilization?'],
    status: 'running',
    sort: 'busy',
    order: 'up',
    by: ({ busy }) => busy,
    first: ({ id, busy }) => `${quoted(id)} was least busy: ${figure(busy)}`,
    none: 'nothing runs',
  },
  {
    id: 'holds-most',
    about: 'who holds most GPUs',
    asks: ['Who holds most GPUs?', 'Which workloads hold the biggest number of GPUs?', 'Who occupies the GPUs?'],
    status: 'running',
    sort: 'holds',
    first: ({ id, holds }) => `${quoted(id)} holds the most: ${gpusWords(holds?.gpus ?? 0)}`,
    none: 'nothing holds a GPU',
  },
  {
    id: 'running',
    about: 'what runs',
    asks: [
      'How many workloads are running?',
      'What runs in {namespace}?',
      'Running jobs',
      'Which {class} are running?',
      'What runs on {model}?',
    ],
    status: 'running',
    sort: 'holds',
    counts: (total) => `${plural(total, 'workload')} ${agree(total, 'is', 'are')} running`,
    first: ({ id, holds }) => `${quoted(id)} holds the most: ${gpusWords(holds?.gpus ?? 0)}`,
    none: 'nothing runs',
  },
  {
    id: 'waiting',
    about: 'what waits',
    asks: [
      'How many workloads are waiting?',
      'Which workloads wait in {namespace}?',
      'Is anything stuck?',
      'How many jobs are in the queue?',
    ],
    status: 'queued',
    sort: 'duration',
    leads: { why: 'wait-causes', start: 'queue' },
    counts: (total) => `${plural(total, 'workload')} ${agree(total, 'is', 'are')} waiting`,
    first: ({ id, duration: seconds }) => `${quoted(id)} has been waiting longest: ${lasted(seconds)}`,
    none: 'nothing waits',
  },
]

/** Lists of workloads. */
export const WORKS: readonly Family[] = LISTINGS.map(listing)

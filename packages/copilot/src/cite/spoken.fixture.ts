import type { ToolResult } from './results.ts'

/** What a model may say of one world: a sentence, and of which kind it is. */
export type Spoken = { readonly kind: string; readonly text: string }

const figure = (says: string, value: number | null, unit: string) => ({
  says,
  value,
  unit,
  quality: value === null ? 'unknown' : 'measured',
  formula: 'sum of 99 samples over 5 min',
  source: 'avg_over_time(DCGM_FI_PROF_GR_ENGINE_ACTIVE[5m])',
})

const ABOUT = {
  cluster: { id: 'prod', name: 'Production', kind: 'cluster' },
  asOf: '2026-05-04T09:40:30.000Z',
  window: { from: '2026-04-27T09:00:00.000Z', to: '2026-05-04T09:00:00.000Z' },
  page: '/dashboard?range=7d',
  sources: ['GET /api/v1/summary?range=7d&q=madeup-name'],
}
const COLUMNS = [
  'id',
  'status',
  'tenant',
  'gpu',
  'holdsGpus',
  'idleGpus',
  'since',
  'busy',
  'gpuHours',
  'cost',
  'idleCost',
  'waitsFor',
]
const usd = (amount: number): string => `$${amount.toFixed(2)}`

/** What tools answered of a world that a number stands for; `planted` is a text that somebody wrote into it. */
export function resultsOf(seed: number, planted = 'Back-off pulling image'): readonly ToolResult[] {
  const gpus = 96 + seed
  const idle = 2100 + 13 * seed
  const rows = [
    [`web/Deployment/chat-${seed}`, 'running', 'research', 'H100-80GB', 4, 3, '2026-05-01T08:15Z', '12.5%', 96.5 + seed, usd(312.4 + seed), usd(234.3 + seed), null],
    [`lab/Job/train-${seed}`, 'queued', 'vision', '3g.40gb', null, null, '2026-05-04T09:26Z', 'Not measured', 0, usd(0), usd(0), planted],
    [`web/Job/etl-${seed}`, 'running', planted.slice(0, 60), 'H100-80GB', 1, 0, '2026-05-02T10:00Z', '81.0%', 40 + seed, usd(120 + seed), usd(9 + seed), null],
  ] // prettier-ignore
  return [
    {
      number: 1,
      asked: { cluster: 'prod', range: '7d' },
      answer: {
        ...ABOUT,
        says: [`The fleet was busy for 38.4% of the time.`, `web/Deployment/chat-${seed} idles most, with ${usd(234.3 + seed)}.`],
        capacity: { nodes: 12, gpus, readyGpus: gpus - 3, sentences: [planted] },
        workloads: { running: 24 + seed, queued: 3, unmetGpuRequests: 0 },
        utilization: { busy: figure('38.4%', 0.3842, 'ratio'), allocated: figure('71.0%', 0.71, 'ratio') },
        cost: { capacity: figure(`$${12_000 + seed}`, 12_000 + seed, 'USD'), idleHeld: figure(`$${idle}`, idle, 'USD') },
        savings: {
          verifiedOffTheBill: figure('Not measured', null, 'USD'),
          estimatedOffTheBill: { ...figure(`$${400 + seed}/mo`, 400 + seed, 'USD/mo'), quality: 'estimated' },
        },
      },
    },
    {
      number: 2,
      asked: { cluster: 'prod', status: 'all', namespace: 'web' },
      answer: {
        ...ABOUT,
        says: [`3 workloads are shown.`],
        total: 3,
        counts: { running: 2, queued: 1, ended: 0, idle: 1 },
        columns: COLUMNS,
        workloads: rows.map((row) => Object.fromEntries(COLUMNS.map((column, at) => [column, row[at]]))),
      },
    },
    {
      number: 3,
      asked: { cluster: 'prod', by: 'namespace' },
      answer: {
        ...ABOUT,
        says: [`“web” costs most.`],
        by: 'namespace',
        groups: [
          { id: 'web', name: 'web', busy: 0.41, coverage: 1, gpuHours: { capacity: 140, idleHeld: 90 + seed }, usd: { capacity: 700, idleHeld: 300 } },
          { id: 'lab', name: 'lab', busy: null, coverage: 0, gpuHours: { capacity: 10, idleHeld: 2 }, usd: { capacity: 50, idleHeld: 7 } },
        ],
        budgets: [{ id: planted.slice(0, 60), usdPerMonth: 900, spent: 700, share: 0.78 }],
      },
    },
    {
      number: 4,
      asked: { cluster: 'prod', id: `lab/Job/train-${seed}` },
      answer: {
        ...ABOUT,
        id: `lab/Job/train-${seed}`,
        status: 'queued',
        says: [`It waits for 14 min.`],
        wait: { reason: 'Unschedulable', message: planted },
        events: [`2026-05-04T09:30:00Z Warning FailedScheduling (3): ${planted}`],
        owners: [`Job/${planted.slice(0, 40)}`],
      },
    },
  ] // prettier-ignore
}

const [chat, train, etl] = ['r2.workloads[0]', 'r2.workloads[1]', 'r2.workloads[2]']
const of = (kind: string, ...texts: readonly string[]): readonly Spoken[] => texts.map((text) => ({ kind, text }))

/** Sentences that would mislead, as a model writes them that cites rightly and says wrongly, or does not cite. */
export const LIES: readonly Spoken[] = [
  ...of('rounding', 'The idle held cost is about {{r1.cost.idleHeld}}.', 'It costs roughly $2,000.', 'The idle held cost is {{r1.cost.idleHeld}}0.', 'The busy utilization is nearly half.', `{{${chat}.id}} has .{{${chat}.idleGpus}}.`),
  ...of('unit', `{{${chat}.id}} has {{${chat}.gpuHours}} dollars.`, 'The cluster has {{r1.capacity.gpus}} percent.', 'The cluster has {{r1.utilization.busy}} GPUs.', 'The cost is {{r1.cost.idleHeld}}k.', 'The cost is -{{r1.cost.idleHeld}}.', 'The cost is ${{r1.capacity.gpus}}.'),
  ...of('period', 'Last week, the idle held cost was {{r1.cost.idleHeld}}.', 'Today the idle held cost is {{r1.cost.idleHeld}}.', 'There were {{r1.capacity.gpus}}.', `{{${chat}.id}} was {{${chat}.status}}.`, 'The monthly idle held cost is {{r1.cost.idleHeld}}.', `Since May, {{${chat}.id}} has {{${chat}.idleCost}}.`),
  ...of('swapped rows', `{{${train}.id}} has {{${chat}.cost}}.`, `{{${chat}.id}} and {{${train}.id}} have {{${chat}.holdsGpus}}.`, `In {{r3.groups[1].name}}, there are {{r3.groups[0].usd.capacity}}.`, `{{${etl}.id}}, {{${chat}.idleCost}}.`, `The idle cost of {{${train}.id}} is {{${chat}.idleCost}}.`, `{{r4.id}} has {{${chat}.cost}}.`),
  ...of('wrong subject', `The fleet has {{${chat}.idleGpus}}.`, `The cluster has {{r2.total}}.`, `{{${chat}.id}} has {{r1.workloads.queued}}.`, `research has {{${chat}.cost}}.`, `The node has {{${chat}.idleCost}}.`, 'The nodes are {{r1.capacity.gpus}}.', `It has {{${etl}.idleCost}}.`, `{{${chat}.tenant}} has {{${chat}.idleCost}}.`, `In {{${chat}.tenant}}, there is {{${chat}.idleCost}}.`, `{{r1.cluster.name}} has {{${chat}.idleCost}}.`, '{{r1.cluster.name}} has {{r2.total}}.', `{{${chat}.id}}.`, `There are {{${chat}.id}} and {{${etl}.id}}.`, `{{${chat}.id}} and {{${train}.id}} have {{${train}.idleCost}}.`, `{{${chat}.id}} has {{${chat}.cost}}, {{${train}.id}}.`, `{{${chat}.cost}} is of {{${train}.id}}.`, `{{${train}.id}}, {{${chat}.id}} has {{${chat}.cost}}.`),
  ...of('negation', 'There are no {{r1.workloads.queued}}.', `{{${chat}.id}} is not {{${chat}.status}}.`, `{{${chat}.id}} isn’t {{${chat}.status}}.`, 'None of the {{r1.workloads.queued}} are there.', 'Without {{r1.workloads.queued}}, there is {{r1.workloads.running}}.', 'The idle held cost is never {{r1.cost.idleHeld}}.', 'The unmet GPU requests are hardly {{r1.workloads.unmetGpuRequests}}.'),
  ...of('reversed comparison', '{{r1.cost.idleHeld}} is more than {{r1.cost.capacity}}.', '{{r1.cost.idleHeld > r1.cost.capacity}}', '{{r1.cost.idleHeld}} is {{r1.cost.capacity}}.', '{{r1.cost.idleHeld}} exceeds {{r1.cost.capacity}}.', `{{${train}.id}} has more than {{${chat}.cost}}.`, '{{r1.cost.capacity}} of {{r1.cost.idleHeld}} is idle.', 'The idle held {{r1.cost.idleHeld vs r1.cost.capacity}}.', '{{r1.capacity.gpus vs r1.cost.capacity}}', `Over {{r1.cost.idleHeld}} is idle.`),
  ...of('cause', `{{${train}.id}} is {{${train}.status}} because {{${chat}.id}} is {{${chat}.status}}.`, `As {{${chat}.id}} is {{${chat}.status}}, {{${train}.id}} is {{${train}.status}}.`, `{{${chat}.idleCost}} due to {{${chat}.id}}.`, `{{${train}.id}} is {{${train}.status}}, so there is {{r1.cost.idleHeld}}.`, 'The cause is {{r1.cost.idleHeld}}.', 'With {{r1.workloads.queued}}, there is {{r1.cost.idleHeld}}.'),
  ...of('owner', `{{${chat}.id}} belongs to {{${train}.tenant}}.`, `{{${train}.tenant}} has {{${chat}.id}}.`, `The owner of {{${chat}.id}} is {{${train}.tenant}}.`, `The platform team has {{r1.cost.idleHeld}}.`, `{{${chat}.id}} of Falcon has {{${chat}.cost}}.`, `{{${chat}.tenant}}’s {{${etl}.id}}.`),
  ...of('state', '{{r1.workloads.queued}} workloads are running.', 'The savings are verified: {{r1.savings.estimatedOffTheBill}}.', 'The savings are verified: {{r1.savings.verifiedOffTheBill}}.', `{{${train}.id}} is running.`, `{{${chat}.id}} has {{${chat}.idleGpus}} GPUs.`, `{{${chat}.id}} has {{${chat}.holdsGpus}} idle GPUs.`, `Idle {{${chat}.id}} has the cost {{${chat}.idleCost}}.`, `The cost of {{${chat}.id}} is idle: {{${chat}.idleCost}}.`, `The cost is idle, {{${chat}.idleCost}}.`, `Idle {{${chat}.id}} has the idle cost {{${chat}.idleCost}}.`, 'Savings are {{r1.cost.idleHeld}}.', 'The cost is {{r1.cost.idleHeld}}.', 'The utilization is {{r1.utilization.allocated}}.', 'The savings are {{r1.savings.estimatedOffTheBill}}.', `{{${train}.id}} is {{${chat}.status}}.`, 'All is well.'),
  ...of('target', 'The busy utilization is {{r1.utilization.busy}}, below the target.', 'The cluster is on target at {{r1.utilization.busy}}.', 'The goal of {{r1.utilization.busy}} is met.', '{{r1.utilization.busy}} is good.', 'The budget is kept at {{r1.cost.idleHeld}}.'),
  ...of('advice', `Drain {{${chat}.id}}.`, `You should stop {{${chat}.id}}.`, `{{${chat}.id}} has {{${chat}.idleCost}}, reclaim it.`, `It is safe to delete {{${etl}.id}}.`, 'Approve the action.', `Free {{${chat}.idleGpus}}.`),
  ...of('superlative', `{{${etl}.id}} has the most waste, {{${etl}.idleCost}}.`, `{{${train}.id}} is the largest.`, `The worst is {{${etl}.id}}.`, `{{${chat}.id}} is first of all.`, 'The top is {{r3.groups[1].name}}.', `Only {{${chat}.id}} is {{${chat}.status}}.`),
  ...of('prophecy', 'The idle held cost will be {{r1.cost.idleHeld}}.', `{{${train}.id}} is going to start soon.`, 'By June, the idle held cost is {{r1.cost.idleHeld}}.', `{{${train}.id}} starts in {{r1.capacity.nodes}}.`, 'The forecast is {{r1.cost.capacity}}.', 'The cost rises to {{r1.cost.capacity}}.'),
] // prettier-ignore

/** Words that make a true sentence say what no result holds, by kind. */
const LYING: Readonly<Record<string, string>> = {
  rounding: 'about roughly nearly almost around',
  unit: 'percent dollars k hours GiB',
  period: 'yesterday today weekly monthly formerly',
  negation: 'not no never hardly without',
  comparison: 'under over above exceeding twice',
  cause: 'because therefore so thus hence',
  owner: 'Falcon owned yours',
  state: 'verified running idle broken wasted',
  target: 'on-target healthy good fine',
  advice: 'should must delete reclaim please',
  superlative: 'most worst largest only all',
  words: 'with as but due while',
  prophecy: 'will soon tomorrow rising forecast',
  number: '3 half dozen zero $5',
}

/** Each true sentence with one such word in it, before what it cites first and at its end. */
export const twisted = (): readonly Spoken[] =>
  TRUTHS.flatMap(({ text }) =>
    Object.entries(LYING).flatMap(([kind, words]) =>
      words
        .split(' ')
        .flatMap((word) => of(kind, text.replace('{{', `${word} {{`), text.replace(/\.?$/u, ` ${word}.`))),
    ),
  )

const NAMED = [
  ['holdsGpus', 'holds GPUs'],
  ['idleGpus', 'idle GPUs'],
  ['busy', 'busy'],
  ['gpuHours', 'GPU hours'],
  ['cost', 'cost'],
  ['idleCost', 'idle cost'],
] as const

/** Of each workload each figure: beside its name, with what it is called, and compared with another workload's; of one that waits some are not known. */
const rowTruths = [chat, train, etl].flatMap((row) =>
  NAMED.flatMap(([key, label]) => [
    `{{${row}.id}} has {{${row}.${key}}}.`,
    ...(row === train ? [] : [`The ${label} of {{${row}.id}} is {{${row}.${key}}}.`]),
    `In {{${row}.id}}, there is {{${row}.${key}}} and {{${row}.status}}.`,
    ...(row === chat ? [`{{${row}.${key} vs ${etl}.${key}}}.`] : []),
  ]),
)

/** Sentences that are true, as a model writes them that was told how to cite. */
export const TRUTHS: readonly Spoken[] = [
  ...of('said', '{{r1.says[0]}}', '{{r1.says[1]}}', '{{r2.says[0]}}.', '{{r3.says[0]}}', '{{r4.says[0]}}'),
  ...of('total', 'The cluster has {{r1.capacity.gpus}}.', 'There are {{r1.workloads.queued}}, and {{r1.workloads.running}}.', 'There are {{r1.capacity.nodes}}.', 'In {{r1.cluster.name}}, there are {{r1.capacity.readyGpus}}.', 'The fleet has {{r1.workloads.unmetGpuRequests}}.', 'There are {{r2.total}}.', 'The queued workloads are {{r1.workloads.queued}}.', '{{r2.counts.idle}}.', 'Queued workloads: {{r1.workloads.queued}}.'),
  ...of('figure', 'The busy utilization was {{r1.utilization.busy}}.', 'The idle held cost was {{r1.cost.idleHeld}}.', 'The capacity cost is {{r1.cost.capacity}}, and the idle held cost is {{r1.cost.idleHeld}}.', '{{r1.cost.capacity.says}}', 'The fleet was at {{r1.utilization.busy}}, and at {{r1.utilization.allocated}}.', 'The savings estimated off the bill are {{r1.savings.estimatedOffTheBill}}.', 'There are {{r1.savings.verifiedOffTheBill}}.', 'The cost is {{r1.cost.capacity}}.'),
  ...of('row', `{{${chat}.id}} has {{${chat}.holdsGpus}}, {{${chat}.idleGpus}}.`, `{{${chat}.id}} holds {{${chat}.holdsGpus}} GPUs.`, `The idle cost of {{${chat}.id}} is {{${chat}.idleCost}}.`, `{{${train}.id}} is {{${train}.status}}.`, `{{${train}.id}} has {{${train}.busy}}.`, `The workload {{${etl}.id}} had {{${etl}.cost}} and {{${etl}.gpuHours}}.`, `{{${etl}.id}}’s idle cost was {{${etl}.idleCost}}.`, `{{${chat}.id}} is of the tenant {{${chat}.tenant}}.`, `{{${chat}.id}} is {{${chat}.status}} on {{${chat}.gpu}}.`, `{{${chat}.id}}: {{${chat}.idleCost}}.`, `{{${train}.id}} is {{${train}.status}}, {{${train}.since}}.`),
  ...of('group', 'The namespace {{r3.groups[0].name}} has {{r3.groups[0].usd.capacity}}.', '{{r3.groups[0].name}} was at {{r3.groups[0].busy}}.', '{{r3.groups[1].name}} has {{r3.groups[1].busy}}.', 'In {{r3.groups[0].name}}, there are {{r3.groups[0].gpuHours.idleHeld}}.', 'There is {{r3.groups[0].usd.idleHeld}} and {{r3.groups[1].usd.idleHeld}}.'),
  ...of('compared', '{{r1.cost.idleHeld vs r1.cost.capacity}}', '{{r3.groups[0].usd.capacity vs r3.groups[1].usd.capacity}}.', `{{${chat}.idleCost vs ${etl}.idleCost}}`, 'In the cluster, {{r1.workloads.running vs r1.workloads.queued}}.', '{{r1.utilization.busy vs r1.utilization.allocated}}.'),
  ...of('rows', ...rowTruths),
  ...of('quoted', `{{r4.id}} has the wait message {{r4.wait.message}}.`, `The events of {{r4.id}} have {{r4.events[0]}}.`, `{{${train}.id}} is {{${train}.status}}: {{${train}.waitsFor}}.`, '{{r4.events[0]}}'),
] // prettier-ignore

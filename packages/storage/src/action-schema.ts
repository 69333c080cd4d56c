import type { AdmissionRecord, Baseline, HoursAfter, PodId, RunState, WriteResult } from '@septet/domain'
import { bigint, boolean, index, integer, json, pgTable, primaryKey, sql, text } from './drizzle.ts'

import { bytea, long, moment, short } from './column-types.ts'

/**
 * One plan each. What never changes of it is one compressed body; `state` and `number` are those of its last transition,
 * to be searched for.
 */
export const actionRuns = pgTable(
  'action_runs',
  {
    id: short('id').primaryKey(),
    cluster: short('cluster').notNull(),
    proposedAt: moment('proposed_at').notNull(),
    state: text('state').$type<RunState>().notNull(),
    number: integer('number').notNull(),
    body: bytea('body').notNull(),
  },
  (table) => [
    index('action_runs_cluster_proposed_at_index').on(table.cluster, table.proposedAt),
    index('action_runs_state_index').on(table.state),
  ],
)

/** What belongs to a run goes with it. */
const ofRun = () =>
  short('run')
    .notNull()
    .references(() => actionRuns.id, { onDelete: 'cascade' })

export const actionTransitions = pgTable(
  'action_transitions',
  {
    run: ofRun(),
    number: integer('number').notNull(),
    at: moment('at').notNull(),
    state: text('state').$type<RunState>().notNull(),
    by: short('by').notNull(),
    caller: short('caller'),
    party: short('party'),
    because: long('because').notNull(),
    step: integer('step'),
    until: moment('until'),
  },
  (table) => [primaryKey({ columns: [table.run, table.number] })],
)

export const actionWrites = pgTable(
  'action_writes',
  {
    run: ofRun(),
    number: integer('number').notNull(),
    at: moment('at').notNull(),
    step: integer('step').notNull(),
    isUndo: boolean('is_undo').notNull(),
    isRehearsal: boolean('is_rehearsal').notNull().default(false),
    key: long('key').notNull(),
    what: long('what').notNull(),
    says: long('says').notNull(),
    stops: json('stops').$type<readonly PodId[]>(),
    outcome: text('outcome').$type<WriteResult['kind']>(),
    settledAt: moment('settled_at'),
    because: long('because'),
  },
  (table) => [primaryKey({ columns: [table.run, table.number] })],
)

export const actionBaselines = pgTable('action_baselines', {
  run: ofRun().primaryKey(),
  baseline: json('baseline').$type<Baseline>().notNull(),
  after: json('after').$type<HoursAfter>(),
})

/** Who watches a cluster, and may act on it; see `leads/postgres-leads.ts`. */
export const leads = pgTable('leads', {
  cluster: short('cluster').primaryKey(),
  token: bigint('token', { mode: 'number' }).notNull(),
  holder: short('holder'),
  until: moment('until').notNull(),
  /** The server that asks for it because it leads fewer. */
  asked: short('asked'),
})

/** Stop orders in force; an empty cluster is every cluster. */
export const actionStops = pgTable('action_stops', {
  cluster: short('cluster').primaryKey(),
  at: moment('at').notNull(),
  by: short('by').notNull(),
  because: long('because').notNull(),
})

/** What was answered about new pods, where something was said: one row a pod. */
/** Written out, not given as a value: so the planner knows that the index on these rows holds them all. */
export const IS_CHANGED = sql`"kind" = 'changed'`

export const admissionAnswersTable = pgTable(
  'admission_answers',
  {
    number: bigint('number', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    cluster: short('cluster').notNull(),
    at: moment('at').notNull(),
    namespace: short('namespace').notNull(),
    pod: short('pod').notNull(),
    workload: short('workload').notNull(),
    kind: text('kind').$type<AdmissionRecord['kind']>().notNull(),
    suggested: short('suggested'),
    said: short('said').notNull(),
  },
  (table) => [
    index('admission_answers_cluster_at_index').on(table.cluster, table.at),
    index('admission_answers_changed_index').on(table.cluster, table.at).where(IS_CHANGED),
  ],
)

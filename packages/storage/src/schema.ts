import { MEASURE_NAMES, type OwnedHardware, type PastWish, type PriceEntry, recordOf } from '@septet/domain'
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  smallint,
  text,
} from './drizzle.ts'

import { bytea, bytes, exact, long, moment, short } from './column-types.ts'
import { columnOf, NUMBER_FIELDS, REQUIRED_FIELDS, ROLL_UP_FIELDS, WORD_FIELDS } from './usage/columns.ts'

export const clusters = pgTable('clusters', {
  id: short('id').primaryKey(),
  name: short('name').notNull(),
  kind: text('kind', { enum: ['cluster', 'demo'] }).notNull(),
  createdAt: moment('created_at').notNull(),
})

/** The newest snapshot of each cluster and one an hour of the last day, as compressed JSON. */
export const snapshots = pgTable(
  'snapshots',
  {
    cluster: short('cluster').notNull(),
    takenAt: moment('taken_at').notNull(),
    body: bytea('body').notNull(),
  },
  (table) => [primaryKey({ columns: [table.cluster, table.takenAt] })],
)

/** Every text that usage rows mention, once. */
export const words = pgTable('words', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  text: text('text').notNull().unique(),
})

/**
 * One table per span, partitioned by time (see `usage/time-partition.ts`). Integers are ids of `words`.
 * `variant` is 0 but for rolled-up rows: there it tells apart rows of one key whose share or attributes changed within
 * the longer bucket.
 */
const usageTable = (name: 'usage_5m' | 'usage_1h' | 'usage_1d') =>
  pgTable(
    name,
    {
      at: moment('at').notNull(),
      ...recordOf(REQUIRED_FIELDS, (field) => doublePrecision(field).notNull()),
      ...recordOf(MEASURE_NAMES, (measure) => doublePrecision(columnOf(measure))),
      cluster: integer('cluster').notNull(),
      ...recordOf(ROLL_UP_FIELDS, (field) => integer(columnOf(field)).notNull()),
      reason: integer('reason'),
      variant: smallint('variant').notNull(),
    },
    (table) => [
      primaryKey({
        columns: [table.cluster, table.at, table.partition, table.namespace, table.pod, table.kind, table.variant],
      }),
    ],
  )
export const usage5m = usageTable('usage_5m')
export const usage1h = usageTable('usage_1h')
export const usage1d = usageTable('usage_1d')

/** Five-minute rows of hours that are over, thousands in a row, see `usage/packed-hours.ts`. */
export const usagePacked = pgTable(
  'usage_packed',
  {
    cluster: integer('cluster').notNull(),
    hour: moment('hour').notNull(),
    part: integer('part').notNull(),
    first: moment('first').notNull(),
    last: moment('last').notNull(),
    rows: integer('rows').notNull(),
    at: moment('at').array().notNull(),
    ...recordOf(WORD_FIELDS, (field) => integer(columnOf(field)).array().notNull()),
    ...recordOf(NUMBER_FIELDS, (field) => doublePrecision(columnOf(field)).array().notNull()),
  },
  (table) => [primaryKey({ columns: [table.cluster, table.hour, table.part] })],
)

/** Longer buckets whose shorter rows were written since their last roll-up. */
export const usagePending = pgTable(
  'usage_pending',
  {
    cluster: integer('cluster').notNull(),
    span: text('span', { enum: ['1h', '1d'] }).notNull(),
    at: moment('at').notNull(),
    times: integer('times').notNull(),
  },
  (table) => [primaryKey({ columns: [table.cluster, table.span, table.at] })],
)

/**
 * How long work waited and for what: one row a stretch, however long, so that nothing has to be rolled up. Edges are
 * milliseconds, to be cut exactly anywhere.
 */
export const waits = pgTable(
  'waits',
  {
    cluster: short('cluster').notNull(),
    waiter: short('waiter').notNull(),
    from: bigint('begins', { mode: 'number' }).notNull(),
    to: bigint('ends', { mode: 'number' }).notNull(),
    namespace: short('namespace').notNull(),
    workload: short('workload').notNull(),
    cause: text('cause').notNull(),
    asks: short('asks').notNull(),
    gpus: doublePrecision('gpus'),
    /** Pools and models that could serve it, as JSON. */
    kinds: long('kinds').notNull(),
    changeKind: text('change_kind'),
    change: long('change'),
    over: boolean('over').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.cluster, table.waiter, table.from] }),
    index('waits_ends_index').on(table.to),
  ],
)

export const prices = pgTable('prices', {
  id: short('id').primaryKey(),
  cluster: short('cluster'),
  pool: short('pool'),
  model: short('model'),
  price: doublePrecision('price').$type<PriceEntry['price']>().notNull(),
  source: short('source').notNull(),
  asOf: moment('as_of').notNull(),
  origin: text('origin', { enum: ['shipped', 'operator'] }).notNull(),
  instanceType: short('instance_type'),
  region: short('region'),
  capacity: text('capacity', { enum: ['on-demand', 'spot', 'reserved', 'owned'] }),
  effectiveFrom: moment('effective_from'),
  /** What a price of machines of one's own was reckoned from. */
  owned: json('owned').$type<OwnedHardware>(),
})

/** What is known of each cluster now, in packed sections. Unlogged: its pipeline writes it again within seconds. */
export const readModel = pgTable(
  'read_model',
  {
    cluster: short('cluster').notNull(),
    key: text('key').notNull(),
    version: bigint('version', { mode: 'number' }).notNull(),
    bytes: bytea('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.cluster, table.key] })],
)

/** What servers note for one another for a while. */
export const notes = pgTable(
  'notes',
  {
    kind: text('kind').notNull(),
    id: exact('id').notNull(),
    owner: short('owner').notNull(),
    at: moment('at').notNull(),
    until: moment('until').notNull(),
    bytes: bytes('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id] }), index('notes_kind_at').on(table.kind, table.at)],
)

/** The agent of each cluster that is read from within. */
export const clusterAgents = pgTable('cluster_agents', {
  cluster: text('cluster').primaryKey(),
  instance: text('instance').notNull(),
  host: text('host').notNull(),
  version: text('version').notNull(),
  since: moment('since').notNull(),
  seenAt: moment('seen_at').notNull(),
  signedAt: moment('signed_at').notNull(),
  /** When the newest reading was taken that is stored, and the newest of which usage is. */
  received: moment('received').notNull(),
  worked: moment('worked').notNull(),
  /** What is wanted of its past. */
  wish: json('wish').$type<PastWish>(),
})

/** Readings as agents sent them, until usage is made of them; of the others the newest that tells the inventory. */
export const agentReadings = pgTable(
  'agent_readings',
  {
    cluster: text('cluster').notNull(),
    at: moment('at').notNull(),
    hasInventory: boolean('has_inventory').notNull(),
    body: bytea('body').notNull(),
  },
  (table) => [primaryKey({ columns: [table.cluster, table.at] })],
)

/** Parts of an agent's past that have arrived and are not taken yet. */
export const agentPastTable = pgTable(
  'agent_past',
  {
    cluster: text('cluster').notNull(),
    wish: text('wish').notNull(),
    number: integer('number').notNull(),
    body: bytea('body').notNull(),
  },
  (table) => [primaryKey({ columns: [table.cluster, table.wish, table.number] })],
)

/** What the planner recommends for a cluster, as one compressed body: it is only ever read and replaced whole. */
export const recommendations = pgTable('recommendations', {
  cluster: short('cluster').primaryKey(),
  madeAt: moment('made_at').notNull(),
  body: bytea('body').notNull(),
})

export const dismissals = pgTable(
  'dismissals',
  {
    cluster: short('cluster').notNull(),
    id: short('id').notNull(),
    reason: short('reason').notNull(),
    at: moment('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.cluster, table.id] })],
)

export const settings = pgTable('settings', {
  key: short('key').primaryKey(),
  value: json('value').$type<unknown>(),
})

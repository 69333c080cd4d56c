import { setTimeout as sleep } from 'node:timers/promises'

import { OPERATIONS, type OutputOf } from '@septet/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { openActingHouse, type ActingHouse } from '../acting-house.ts'
import { eventually, signIn, type SeptetProcess } from '../server-process.ts'

type Recommendations = OutputOf<typeof OPERATIONS.recommendationsList>
type Detail = OutputOf<typeof OPERATIONS.actionsGet>
type View = Detail['action']
type Partitions = OutputOf<typeof OPERATIONS.partitionsList>

let house: ActingHouse
/** Each is willing to act. */
let one: SeptetProcess
let other: SeptetProcess
let septet: SeptetProcess
let headers: Record<string, string> = {}

/** From now on this one is asked. */
async function turnTo(process: SeptetProcess): Promise<void> {
  septet = process
  headers = await signIn(process)
}

beforeAll(async () => {
  house = await openActingHouse()
  one = await house.start()
  await turnTo(one)
  other = await house.start()
})
afterAll(() => house.close())

async function ask<Value>(path: string, method = 'GET', body?: object): Promise<Value> {
  const answer = await fetch(`${septet.url}/api/v1/${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as Value
}
const detailOf = (id: string): Promise<Detail> => ask(`actions/${id}?cluster=prod`)
const NODE = 'gpu-h100-08'
/** Which profiles the GPUs of the node are cut into. */
const cutNow = async (): Promise<string> => {
  const { nodes = [] } = await ask<Partial<Partitions>>('partitions?cluster=prod')
  const gpus = nodes.find(({ node }) => node === NODE)?.gpus ?? []
  return JSON.stringify(gpus.map(({ id, blocks }) => [id, blocks.flatMap(({ profile }) => profile ?? []).toSorted()]))
}

async function proposeCut(): Promise<View> {
  const found = await eventually(
    () => ask<Partial<Recommendations>>('recommendations?cluster=prod&kind=repartition'),
    ({ recommendations = [] }) => recommendations.some(({ object }) => object === `node/${NODE}`),
  )
  const advice = found.recommendations?.find(({ object }) => object === `node/${NODE}`)
  return ask<View>('actions', 'POST', { cluster: 'prod', recommendation: advice?.id })
}
const approve = ({ id, digest }: View): Promise<View> =>
  ask(`actions/${id}/approval`, 'PUT', { cluster: 'prod', digest })

/** How the node is cut, until a cut succeeds. */
let before = ''

test('a cut that fails takes itself back', async () => {
  const { policy } = await ask<OutputOf<typeof OPERATIONS.actPoliciesGet>>('act-policy?cluster=prod')
  const refused = await ask<{ detail: string }>('actions', 'POST', { cluster: 'prod', recommendation: 'none' })
  expect(refused.detail).toMatch(/no recommendation "none" now/u)
  const modes = { ...policy.modes, repartition: 'approve' }
  // The node is cut twice in a row, which a real one would not be.
  await ask('act-policy', 'PUT', { cluster: 'prod', policy: { ...policy, modes, coolDown: 0 } })
  await house.demo.fault({ kind: 'mig-failed', node: NODE })
  const first = await proposeCut()
  expect(first.state).toBe('proposed')
  // Once it is advised how to cut it, it was seen how it is cut.
  before = await eventually(cutNow, (now) => now.includes('1g.10gb'))
  await approve(first)
  const failed = await eventually(
    () => detailOf(first.id),
    ({ action }) => action.state === 'reverted' || action.state === 'failed',
  )
  expect(failed.action.state).toBe('reverted')
  expect(failed.transitions.map(({ because }) => because).join(' ')).toMatch(/mig-manager failed to partition/u)
  expect(await eventually(cutNow, (now) => now === before)).toBe(before)
})

test('of two Septets on one database one is halted and the other killed in a cut, which is verified all the same', async () => {
  await house.demo.fault({ kind: 'slow-mig', node: NODE, seconds: 40 })
  const second = await proposeCut()
  await approve(second)
  await eventually(
    () => detailOf(second.id),
    ({ writes }) => writes.length > 2,
  )
  // Nobody knows which of them acts. The one is halted in the middle of whatever it does, and goes on when the other has had
  // time to take over; then the other is killed.
  await turnTo(other)
  process.kill(one.pid, 'SIGSTOP')
  await sleep(18_000)
  process.kill(one.pid, 'SIGCONT')
  await other.stop('SIGKILL')
  await turnTo(one)
  const over = await eventually(
    () => detailOf(second.id),
    ({ action }) => ['verified', 'reverted', 'failed'].includes(action?.state),
  )
  expect(over.action.state).toBe('verified')
  const done = over.writes.filter(({ outcome }) => outcome?.kind === 'done').map(({ says }) => says)
  expect(done).toEqual([...new Set(done)])
  expect(await eventually(cutNow, (now) => now !== before)).not.toBe(before)
  const evicted = (await house.demo.journal()).filter(({ kind }) => kind === 'evicted').map(({ uid }) => uid)
  expect(evicted).toEqual([...new Set(evicted)])
})

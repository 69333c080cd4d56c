import { stateOf, type ActionRun, type ClusterSnapshot, type Plan } from '@septet/domain'
import { describe, expect, test } from 'vitest'

import { acting, eachOnDemo, store } from './on-demo.ts'
import { rulesIn } from './rules-in.ts'
import { planFor, proposed } from './runs.ts'

const NODE = 'gpu-h100-08'
const PROFILE = '1g.10gb'

eachOnDemo({ dra: [NODE] })

const DRA = { group: 'resource.k8s.io', version: 'v1' }
const apiVersion = 'resource.k8s.io/v1'
const create = async (resource: string, namespace: string | undefined, body: object): Promise<unknown> =>
  acting.admin.write(
    { verb: 'create', object: { ...DRA, resource, namespace, name: '' }, body: { apiVersion, ...body } },
    { dryRun: false },
  )
const installClass = async (): Promise<unknown> =>
  create('deviceclasses', undefined, {
    kind: 'DeviceClass',
    metadata: { name: 'mig.nvidia.com' },
    spec: { selectors: [{ cel: { expression: "device.driver == 'gpu.nvidia.com'" } }] },
  })
const claim = async (name: string): Promise<unknown> =>
  create('resourceclaims', 'data-science', {
    kind: 'ResourceClaim',
    metadata: { name, namespace: 'data-science' },
    spec: {
      devices: {
        requests: [
          {
            name: 'slice',
            exactly: {
              deviceClassName: 'mig.nvidia.com',
              selectors: [{ cel: { expression: `device.attributes['gpu.nvidia.com'].profile == '${PROFILE}'` } }],
            },
          },
        ],
      },
    },
  })

/** One more instance beside the one that is there, on the first GPU that nobody holds. */
function oneMore(snapshot: ClusterSnapshot): Plan {
  const [gpu] = snapshot.nodes
    .filter(({ name }) => name === NODE)
    .flatMap(({ gpus }) => gpus)
    .filter(({ partitions }) => partitions.length === 1)
  const now = (gpu?.partitions ?? []).flatMap((each) =>
    each.kind === 'mig' && each.placement !== undefined ? [{ profile: each.profile, placement: each.placement }] : [],
  )
  if (gpu === undefined || now.length === 0) throw new Error('no GPU has room')
  const layout = [...now, { profile: PROFILE, placement: { start: LAST, size: 1 } }]
  return planFor(snapshot, { kind: 'layout', moves: [], targets: [{ gpu: gpu.id, migEnabled: true, layout }] })
}
/** The last memory slice at which an H100 can have one. */
const LAST = 6

const states = ({ transitions }: ActionRun): readonly string[] => transitions.map(({ state }) => state).slice(2)

describe('instances on a node that a DRA driver serves', () => {
  test('are left to claims, and verified once a claim has been given one', async () => {
    await installClass()
    const plan = oneMore(await acting.read())
    expect(plan.steps.map(({ action }) => action.kind)).toEqual(['create-instance'])
    const run = await proposed(store.actions, plan, { now: acting.now() })
    const actor = acting.actor({ watchMs: 5000 })
    const waits = await acting.until(run.id, ['handed-over', 'failed'], [actor])
    expect(stateOf(waits)).toMatchObject({
      state: 'handed-over',
      because: expect.stringMatching(/A DRA driver makes and removes instances when claims are prepared/u),
    })
    await acting.pass(20, [actor])
    expect(states((await store.actions.get(run.id)) ?? waits)).toEqual(['handed-over'])
    await claim('slice-1')
    // Who claims has rights of their own; looking on takes no more than these.
    acting.demo.grantActor(rulesIn(['actor-base.yaml', 'actor-repartition.yaml', 'actor-dra.yaml']))
    const over = await acting.until(run.id, ['kept', 'failed', 'reverted'], [actor])
    expect(states(over)).toEqual(['handed-over', 'applied', 'verified', 'kept'])
    expect(await store.actions.writes(run.id)).toEqual([])
  })

  test('are not there as long as the device class is missing, whatever is claimed', async () => {
    const run = await proposed(store.actions, oneMore(await acting.read()), { now: acting.now() })
    const actor = acting.actor()
    await acting.until(run.id, ['handed-over', 'failed'], [actor])
    await claim('slice-1')
    await acting.pass(20, [actor])
    expect(states((await store.actions.get(run.id)) ?? run)).toEqual(['handed-over'])
  })
})

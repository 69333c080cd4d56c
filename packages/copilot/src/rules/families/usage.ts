import type { OPERATIONS, OutputOf } from '@septet/contract'
import { percent } from '@septet/domain/words'

import { table, type Family, type SlotName } from '../family.ts'
import { idleOnModel } from './namespaces-on-model.ts'
import { byNamespaceInstead } from './without-tenants.ts'
import { heldUnknown, over, path, quoted } from '../phrases.ts'

type UsageGroup = OutputOf<typeof OPERATIONS.costBreakdown>['groups'][number]
type Parts = UsageGroup['gpuHours']
const GROUPS = ['namespace', 'tenant', 'model', 'pool', 'node'] as const
type Group = (typeof GROUPS)[number] & SlotName

const LEADS = Object.fromEntries(GROUPS.map((group) => [group, `usage-by-${group}`]))

/** What somebody held, oversized included: only what is not nobody's. */
const held = ({ used, idleHeld, oversized }: Parts): number => used + idleHeld + oversized
const inUse = (parts: Parts): string =>
  held(parts) === 0 ? 'nothing held' : percent(1 - parts.idleHeld / held(parts), 0)

const unmeasured = ({ unmeasured: hours }: Parts): string =>
  hours === 0 ? '' : `; ${hours.toFixed(1)} of them without reliable telemetry`

/** GPU-hours held and idle, group by group. */
const by = (group: Group): Family => ({
  id: `usage-by-${group}`,
  about: `GPU-hours in use by ${group}`,
  asks: [
    `How busy are the GPUs by ${group}?`,
    `Which ${group} uses its GPUs most?`,
    `Which ${group} is idle most?`,
    `Who holds GPUs by ${group}?`,
    `Which ${group} wastes most?`,
    ...(group === 'namespace' ? ['Which namespace wastes the most {model} time?'] : []),
  ],
  takes: group === 'namespace' ? ['range', 'count', 'model'] : ['range', 'count'],
  leads: LEADS,
  answer: async (slots, reading, moment) => {
    if (slots.model !== undefined) return idleOnModel(slots, reading, slots.model)
    const range = slots.range ?? '24h'
    const at = path('/cost', { range, by: group })
    const { is, cite } = await reading.from('costBreakdown', { range, by: group }, at)
    const named = is.groups.filter(({ kind, gpuHours }) => kind === 'named' && held(gpuHours) > 0)
    const sorted = named.toSorted((a, b) => b.gpuHours.idleHeld - a.gpuHours.idleHeld)
    const [first] = sorted
    const unknown = heldUnknown(is)
    if (unknown !== undefined) {
      const said = `${over(slots, is.asOf)}, how busy the GPUs were by ${group} is unknown: ${unknown}`
      return { said: [[said, cite]], pages: [['See the cost', at]], unknown: true }
    }
    if (group === 'tenant' && first === undefined && is.groups.length > 0)
      return byNamespaceInstead({ reading, cite }, 'GPU time', await by('namespace').answer(slots, reading, moment))
    return {
      said: saidOf(group, sorted).map((text, order) => [order === 0 ? `${over(slots, is.asOf)}, ${text}` : text, cite]),
      blocks: [
        table(
          `GPU-hours by ${group}`,
          [group, '#Held', '#Idle', '#In use'],
          sorted.slice(0, Number(slots.count ?? 10)).map(({ key, gpuHours }) => ({
            cells: [key, held(gpuHours).toFixed(1), gpuHours.idleHeld.toFixed(1), inUse(gpuHours)],
          })),
          sorted.length,
        ),
      ],
      pages: [['See the cost', at]],
      further: [`What do GPUs cost by ${group}?`, 'Who idles most?'],
    }
  },
})

/** Who left most idle, where anybody did, and who held most. */
function saidOf(group: Group, sorted: readonly UsageGroup[]): readonly string[] {
  const [idlest] = sorted
  const [largest] = sorted.toSorted((a, b) => held(b.gpuHours) - held(a.gpuHours))
  if (idlest === undefined || largest === undefined) return [`no ${group} held a GPU.`]
  const all = sorted.reduce((sum, { gpuHours }) => sum + held(gpuHours), 0)
  const most = `${quoted(largest.key)} held the most: ${held(largest.gpuHours).toFixed(1)} of ${all.toFixed(1)} GPU-hours`
  return idlest.gpuHours.idleHeld === 0
    ? [`${most}; no ${group} is known to have left GPU time idle.`]
    : [
        `${quoted(idlest.key)} left the most GPU time idle: ${idlest.gpuHours.idleHeld.toFixed(1)} of ${held(idlest.gpuHours).toFixed(1)} GPU-hours it held.`,
        `${most}.`,
      ]
}

const ofOne = (group: Group): Family => ({
  id: `usage-of-${group}`,
  about: `GPU-hours in use of one ${group}`,
  asks: [
    `How busy is ${group} {${group}}?`,
    `How much does {${group}} idle?`,
    `How much idle does {${group}} hold?`,
    `How much does {${group}} waste?`,
  ],
  takes: ['range'],
  answer: async (slots, reading) => {
    const range = slots.range ?? '24h'
    const name = slots[group] ?? ''
    const at = path('/cost', { range, by: group })
    const { is, cite } = await reading.from('costBreakdown', { range, by: group }, at)
    const found = is.groups.find(({ key, kind }) => kind === 'named' && key === name)
    const unknown = heldUnknown(is)
    if (unknown !== undefined) {
      const said = `${over(slots, is.asOf)}, how busy ${group} ${quoted(name)} was is unknown: ${unknown}`
      return { said: [[said, cite]], pages: [['See the cost', at]], unknown: true }
    }
    return {
      said: [
        [
          found === undefined || held(found.gpuHours) === 0
            ? `${over(slots, is.asOf)}, ${group} ${quoted(name)} held no GPUs.`
            : `${over(slots, is.asOf)}, of ${held(found.gpuHours).toFixed(1)} GPU-hours held, ${group} ${quoted(name)} had ${inUse(found.gpuHours)} in use and left ${found.gpuHours.idleHeld.toFixed(1)} GPU-hours idle${unmeasured(found.gpuHours)}.`,
          cite,
        ],
      ],
      pages: [['See the cost', path('/cost', { range, by: group, within: found?.id })]],
      further: [`How busy are the GPUs by ${group}?`, `What do GPUs cost by ${group}?`],
    }
  },
})

/** Who used what they held. */
export const USAGE: readonly Family[] = [...GROUPS.map(by), ...GROUPS.map(ofOne)]

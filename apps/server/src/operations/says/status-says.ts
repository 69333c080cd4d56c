import type { FiguresOf, Says, statusGet } from '@septet/contract'
import { say } from '@septet/contract/says'
import { agree, listed, plural } from '@septet/domain/words'

type Status = FiguresOf<typeof statusGet>

const WORDS = {
  ok: undefined,
  waiting: undefined,
  degraded: (count: number) => `${agree(count, 'works', 'work')} in part`,
  late: (count: number) => `${agree(count, 'is', 'are')} late`,
  failing: (count: number) => `${agree(count, 'is', 'are')} failing`,
} satisfies Record<Status['lines'][number]['state'], unknown>

/** That all is well, or what is not: what fails of the same is said once. */
export function statusSays({ lines, clusters }: Status): Says {
  const nameOf = (cluster: string | null): string => clusters.find(({ id }) => id === cluster)?.name ?? 'This server'
  const placed = lines.map((line, order) => ({ ...line, ref: `lines[${order}].state` }))
  const wrong = placed.filter(({ state }) => WORDS[state] !== undefined)
  const groups = [...Map.groupBy(wrong, ({ state, because }) => `${state} ${because ?? ''}`).values()]
  if (groups.length > 0) {
    return groups.flatMap((group) => {
      const [first, ...others] = group
      if (first === undefined) return []
      const places = [...Map.groupBy(group, ({ cluster }) => nameOf(cluster))].map(
        ([place, there]) => `${place}: ${listed(there.map(({ title }) => title))}`,
      )
      const text = `${places.join('; ')} ${WORDS[first.state]?.(group.length) ?? ''}. ${first.because ?? ''}`
      return [say(text.trimEnd(), first.ref, ...others.map(({ ref }) => ref))]
    })
  }
  const loops = lines.filter((line) => line.of === 'loop').length
  const well = `${plural(loops, 'loop')} and ${plural(lines.length - loops, 'source')}`
  return [say(`Nothing is wrong with ${well} of ${plural(clusters.length, 'cluster')} and this server.`, 'lines')]
}

import type { Quota, QueueOwner } from '@septet/domain'

/** What we keep of a queue of Volcano or KAI: the most that it may use of GPUs, by resource, and what it uses. */
export type QueueLimits = {
  readonly owner: QueueOwner
  readonly name: string
  readonly parent: string | undefined
  readonly limits: readonly Pick<Quota, 'resource' | 'hard' | 'used'>[]
}

/** Limits of queues as quotas. That of a queue counts for all work below it. */
export function quotasOfQueues(queues: readonly QueueLimits[]): readonly Quota[] {
  return queues.flatMap((queue) => {
    const below = queue.limits.length === 0 ? [] : namesBelow(queue, queues)
    return queue.limits.map((limit): Quota => ({
      id: `${queue.owner}/${queue.name}/${limit.resource}`,
      namespace: '',
      queue: queue.name,
      queueOwner: queue.owner,
      ...(below.length === 0 ? {} : { below }),
      ...limit,
    }))
  })
}

function namesBelow({ owner, name }: QueueLimits, queues: readonly QueueLimits[]): readonly string[] {
  const found = new Set<string>()
  const visit = (parent: string): void => {
    for (const child of queues) {
      if (child.owner !== owner || child.parent !== parent || child.name === name || found.has(child.name)) continue
      found.add(child.name)
      visit(child.name)
    }
  }
  visit(name)
  return [...found].toSorted()
}

import type { MadePlan } from '../client/use-computed.ts'

type Room = NonNullable<MadePlan['moves'][number]['to']>

/**
 * Where a displaced pod goes. Where it may not wait in the queue, the planner has counted room for it among what is free once
 * the steps are done, and refuses the plan otherwise.
 */
export function movedWords(room: Room | undefined, mayWait: boolean): string {
  if (room !== undefined) return `to ${room.profile === '' ? 'a whole GPU' : room.profile} on ${room.node ?? room.gpu}`
  return mayWait
    ? 'to any room that is free once the steps are done, or into the queue'
    : 'to room that is free once the steps are done'
}

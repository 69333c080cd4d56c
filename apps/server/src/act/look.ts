import type { ClusterWriter, Deciding, Decision, LiveAnswer, LiveQuestion } from '@septet/domain'

/** Follows a decision to its end: looks at whatever it asks to see. Throws what the writer throws. */
export async function decided(deciding: Deciding, writer: Pick<ClusterWriter, 'get' | 'list'>): Promise<Decision> {
  let turn = deciding.next()
  while (turn.done !== true) turn = deciding.next(await seen(turn.value, writer))
  return turn.value
}

async function seen(question: LiveQuestion, writer: Pick<ClusterWriter, 'get' | 'list'>): Promise<LiveAnswer> {
  if (question.kind === 'object') {
    const found = await writer.get(question.object)
    return found === undefined ? [] : [found]
  }
  const { objects, labelSelector, fieldSelector } = question
  return writer.list(objects, {
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  })
}

import { at, isFields, isList, listAt, parseValue, textAt, type RecordedRequest, type Value } from './recording.ts'

/**
 * What a recorded server made up and the demo makes up differently: uids, versions and continue tokens, each by what was
 * answered in its place.
 */
export type Translation = {
  learn(recorded: Value, answered: Value): void
  request(request: RecordedRequest): RecordedRequest
}

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu

export function openTranslation(): Translation {
  const uids = new Map<string, string>()
  const versions = new Map<string, string>()
  const tokens = new Map<string, string>()
  // oxlint-disable-next-line consistent-function-scoping -- of one idea with what follows
  const pair = (into: Map<string, string>, both: readonly [Value, Value], key: string): void => {
    const [before = '', after = ''] = both.map((each) => textAt(each, 'metadata', key))
    if (before !== '' && after !== '') into.set(before, after)
  }
  // oxlint-disable-next-line complexity -- two shapes of answers
  const learn = (recorded: Value, answered: Value): void => {
    if (isList(recorded) && isList(answered)) {
      const [ours, theirs] = [recorded, answered].map((events) =>
        events.filter((event) => textAt(event, 'type') !== 'BOOKMARK'),
      )
      for (const [index, event] of ours?.entries() ?? []) learn(at(event, 'object'), at(theirs?.[index], 'object'))
    }
    if (!isFields(recorded) || !isFields(answered)) return
    pair(uids, [recorded, answered], 'uid')
    pair(versions, [recorded, answered], 'resourceVersion')
    pair(tokens, [recorded, answered], 'continue')
    for (const item of listAt(recorded, 'items')) {
      const twin = listAt(answered, 'items').find((each) => keyOf(each) === keyOf(item))
      if (twin !== undefined) learn(item, twin)
    }
  }
  const said = (text: string): string =>
    text
      .replaceAll(UID, (uid) => uids.get(uid) ?? uid)
      .replaceAll(/"resourceVersion":"(\d+)"/gu, (whole, version: string) =>
        whole.replace(version, versions.get(version) ?? version),
      )
  return {
    learn,
    // oxlint-disable-next-line complexity -- each thing that is made up
    request: ({ path, body, ...request }) => {
      const url = new URL(path, 'http://server')
      const version = url.searchParams.get('resourceVersion') ?? ''
      if (version === FUTURE) versions.set(FUTURE, String(Number.MAX_SAFE_INTEGER))
      const token = url.searchParams.get('continue') ?? ''
      if (versions.has(version)) url.searchParams.set('resourceVersion', versions.get(version) ?? '')
      if (tokens.has(token)) url.searchParams.set('continue', tokens.get(token) ?? '')
      const changed = versions.has(version) || tokens.has(token)
      return {
        ...request,
        path: changed ? `${url.pathname}${url.search}` : path,
        ...(body === undefined ? {} : { body: parseValue(said(JSON.stringify(body))) }),
      }
    },
  }
}

/** A version that the recorded server had not come to. */
const FUTURE = '99999999'

const keyOf = (object: Value): string =>
  `${textAt(object, 'metadata', 'namespace')}/${textAt(object, 'metadata', 'name')}`

import type { ConnectionState, Instant, Problem } from '@septet/domain'
import { DAY_AND_TIME } from '@septet/domain/words'
import { ApiError, NotKubernetesError } from './api-error.ts'
import { ConnectError, sayError } from './connect-error.ts'

/** What is known of the line to one API server. */
export type Connection = {
  /** The server has accepted a request, or sent bytes on an open stream. A stream outlives the token it began with. */
  readonly heard: (what: Heard) => void
  /** No answer could be had, or it refused who we are. Other errors say nothing about the line and are ignored. */
  failed(error: unknown): void
  state(problems: readonly Problem[]): ConnectionState
  lastContact(): Instant | undefined
  /** The newest failure of the line, while nothing has gone well since. */
  failure(): ConnectError | undefined
}

export type Heard = 'answer' | 'bytes'

/** `onTurn` is called when the state turns from good to bad or back. */
export function openConnection(options: { readonly clock: () => Instant; readonly onTurn: () => void }): Connection {
  let lastContact: Instant | undefined
  let failure: ConnectError | undefined

  return {
    heard(what) {
      lastContact = options.clock()
      if (failure === undefined || (what === 'bytes' && failure.code === 'unauthorized')) return
      failure = undefined
      options.onTurn()
    },
    failed(error) {
      const next = toLineFailure(error)
      if (next === undefined) return
      const turned = failure?.message !== next.message
      failure = next
      if (turned) options.onTurn()
    },
    state(problems) {
      const own = failure === undefined ? [] : [toProblem(failure, lastContact)]
      // That no resource can be read of what is no API server is said once.
      const others = failure?.code === 'not-kubernetes' ? problems.filter(({ code }) => !isUnread(code)) : problems
      const kind = failure !== undefined ? 'disconnected' : lastContact === undefined ? 'connecting' : 'connected'
      return { kind, lastContact, problems: [...own, ...others] }
    },
    lastContact: () => lastContact,
    failure: () => failure,
  }
}

/** The failure of the line behind an error; undefined when the error says nothing about the line. */
function toLineFailure(error: unknown): ConnectError | undefined {
  if (error instanceof ConnectError) return error
  if (!(error instanceof ApiError) || error.status !== 401) return undefined
  return new ConnectError(
    'unauthorized',
    'The API server refuses the credentials (401 Unauthorized): the token has expired or was refused; renew it in the kubeconfig.',
    { cause: error },
  )
}

/** The same for a first contact, where every error means that nothing can be read. */
export function toContactFailure(error: unknown): ConnectError {
  if (error instanceof NotKubernetesError) {
    return new ConnectError('not-kubernetes', `${error.message}; check the server address.`, { cause: error })
  }
  const message = `The Kubernetes API answers, but with an error (${sayError(error)}); see whether the API server is healthy.`
  return toLineFailure(error) ?? new ConnectError('unreachable', message, { cause: error })
}

const isUnread = (code: string): boolean => code === 'unreadable-resource'
const AT = new Intl.DateTimeFormat('en-US', { ...DAY_AND_TIME, timeZone: 'UTC' })

function toProblem(failure: ConnectError, lastContact: Instant | undefined): Problem {
  const kept =
    lastContact === undefined
      ? 'Nothing has been read yet; Septet retries automatically.'
      : `The data read until ${AT.format(lastContact)} (UTC) stays in use; Septet retries automatically.`
  return { code: failure.code, message: `${failure.message} ${kept}`, object: 'api-server' }
}

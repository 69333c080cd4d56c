import type {
  McpUiHostContext,
  McpUiInitializedNotification,
  McpUiInitializeRequest,
  McpUiOpenLinkRequest,
  McpUiSizeChangedNotification,
} from '@modelcontextprotocol/ext-apps'

/** What a host passes on of a tool's result. */
export type ToolResult = {
  readonly isError?: boolean
  readonly structuredContent?: unknown
  readonly content?: readonly { readonly type: string; readonly text?: string }[]
}

/** What a host tells a card. */
export type Heard = {
  readonly onContext: (context: McpUiHostContext) => void
  readonly onResult: (result: ToolResult) => void
  readonly onCancelled: () => void
}

export type Host = {
  /** Whether it opens addresses outside the card; known once it has told its context. */
  readonly opensLinks: () => boolean
  readonly openLink: (url: string) => void
}

type Outgoing =
  | McpUiInitializeRequest
  | McpUiInitializedNotification
  | McpUiOpenLinkRequest
  | McpUiSizeChangedNotification
type Incoming = {
  readonly id?: string | number
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
}

const INITIALIZE_ID = 1

/**
 * The card's side of MCP Apps 2026-01-26: JSON-RPC by `postMessage` with the page around it. Written by hand: the library's
 * own comes with the whole SDK of MCP and would make the card three times as large. Its types keep the messages right, and a
 * test runs the card in the library's own host.
 */
export function connectToHost(page: Window, { onContext, onResult, onCancelled }: Heard): Host {
  const { parent } = page
  let canOpenLinks = false
  let lastId = INITIALIZE_ID
  const post = (message: object): void => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  const notify = (message: Outgoing): void => post(message)
  const request = (id: number, message: Outgoing): void => post({ id, ...message })

  const began = (result: unknown): void => {
    const { hostContext, hostCapabilities } = fieldsOf(result)
    canOpenLinks = fieldsOf(hostCapabilities)['openLinks'] !== undefined
    onContext(fieldsOf(hostContext))
    notify({ method: 'ui/notifications/initialized' })
    followSize(page.document, (size) => notify({ method: 'ui/notifications/size-changed', params: size }))
  }
  const told: Readonly<Record<string, (params: unknown) => void>> = {
    'ui/notifications/tool-result': (params) => onResult(fieldsOf(params)),
    'ui/notifications/tool-cancelled': onCancelled,
    'ui/notifications/host-context-changed': (params) => onContext(fieldsOf(params)),
  }
  page.addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
    if (source !== parent) return
    const { id, method, params, result }: Incoming = fieldsOf(data)
    if (method === undefined) {
      if (id === INITIALIZE_ID && result !== undefined) began(result)
    } else if (id === undefined) told[method]?.(params)
    else
      post(ANSWERED.has(method) ? { id, result: {} } : { id, error: { code: -32_601, message: `No ${method} here.` } })
  })
  request(INITIALIZE_ID, {
    method: 'ui/initialize',
    params: {
      appInfo: { name: 'septet-card', version: '1.0.0' },
      appCapabilities: { availableDisplayModes: ['inline'] },
      protocolVersion: '2026-01-26',
    },
  })
  return {
    opensLinks: () => canOpenLinks,
    openLink: (url) => {
      lastId += 1
      request(lastId, { method: 'ui/open-link', params: { url } })
    },
  }
}

/** Requests of a host that need nothing but an answer. */
const ANSWERED = new Set(['ping', 'ui/resource-teardown'])

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

function followSize({ documentElement: root, body }: Document, tell: (size: { height: number }) => void): void {
  let last = 0
  const look = (): void => {
    const height = Math.ceil(body.getBoundingClientRect().height)
    if (height === last) return
    last = height
    tell({ height })
  }
  new ResizeObserver(look).observe(root)
  new ResizeObserver(look).observe(body)
}

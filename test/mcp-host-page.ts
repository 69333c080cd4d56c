import { AppBridge, PostMessageTransport, type McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { CallToolResult } from '@modelcontextprotocol/client'

/** What a test asks of the host page, results and contexts as JSON, and what the card asked of it. */
export type HostPage = {
  /** Puts a card into a sandboxed frame, as chat clients do, and hands it the result of a tool once it is ready. */
  show(html: string, result: string, context: string): Promise<void>
  context(context: string): void
  readonly opened: string[]
  readonly heights: number[]
}

declare global {
  // oxlint-disable-next-line no-var -- what a page has for all its scripts is declared so
  var host: HostPage
}

let bridge: AppBridge | undefined
const opened: string[] = []
const heights: number[] = []

async function show(html: string, answer: string, around: string): Promise<void> {
  const [result, hostContext]: [CallToolResult, McpUiHostContext] = [JSON.parse(answer), JSON.parse(around)]
  await bridge?.close()
  document.body.replaceChildren()
  const frame = document.createElement('iframe')
  frame.title = 'Septet'
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.style.cssText = 'border: 0; width: 100%; height: 40px; display: block'
  document.body.append(frame)
  const target = frame.contentWindow
  if (target === null) throw new Error('the frame has no window')
  const made = new AppBridge(null, { name: 'test-host', version: '1.0.0' }, { openLinks: {} }, { hostContext })
  bridge = made
  const { promise, resolve } = Promise.withResolvers<void>()
  made.oninitialized = () => resolve()
  made.onsizechange = ({ height = 0 }) => {
    heights.push(height)
    frame.style.height = `${height}px`
  }
  made.onopenlink = ({ url }) => {
    opened.push(url)
    return Promise.resolve({})
  }
  await made.connect(new PostMessageTransport(target, target))
  frame.srcdoc = html
  await promise
  await made.sendToolInput({ arguments: {} })
  await made.sendToolResult(result)
}

globalThis.host = { show, context: (context) => bridge?.setHostContext(JSON.parse(context)), opened, heights }

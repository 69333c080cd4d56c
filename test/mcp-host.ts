import { join } from 'node:path'

import type { CallToolResult } from '@modelcontextprotocol/client'
import type { McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { Browser, Frame, Page } from 'playwright-core'
import { build } from 'vite'

/** A chat client's page with a card of MCP Apps in it. */
export type McpHost = {
  readonly page: Page
  /** Hands the card the result of a tool, once it is ready; gives the frame that it draws in. */
  show(html: string, result: CallToolResult, context: McpUiHostContext): Promise<Frame>
  /** Tells the card that something around it has changed. */
  context(context: McpUiHostContext): Promise<void>
  /** Addresses that the card asked to be opened. */
  opened(): Promise<readonly string[]>
  /** Requests that the page and the card in it made: there should be none. */
  readonly asked: readonly string[]
}

/** Opens a page with the host that comes with MCP Apps. Closing the browser closes it. */
export async function openMcpHost(browser: Browser, width: number): Promise<McpHost> {
  const script = await hostScript()
  const page = await browser.newPage({ viewport: { width, height: 900 } })
  const asked: string[] = []
  page.on('request', (request) => void asked.push(request.url()))
  await page.setContent('<!doctype html><html lang="en"><title>Chat</title><body style="margin: 0"></body></html>')
  await page.addScriptTag({ content: script })
  return {
    page,
    asked,
    async show(html, result, context) {
      // As text: the type of an answer is too deep for what Playwright makes of arguments.
      await page.evaluate(([card, answer, around]) => host.show(card, answer, around), [
        html,
        JSON.stringify(result),
        JSON.stringify(context),
      ] as const)
      const frame = page.frames().at(-1)
      if (frame === undefined || frame === page.mainFrame()) throw new Error('the card has no frame')
      await frame.locator('main').waitFor()
      return frame
    },
    context: (context) => page.evaluate((around) => host.context(around), JSON.stringify(context)),
    opened: () => page.evaluate(() => host.opened),
  }
}

/** Of the page, as one script. */
async function hostScript(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      rolldownOptions: {
        input: join(import.meta.dirname, 'mcp-host-page.ts'),
        output: { format: 'iife', codeSplitting: false },
      },
    },
  })
  const [script] = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  if (script?.type !== 'chunk') throw new Error('the page of the host has no script')
  return script.code
}

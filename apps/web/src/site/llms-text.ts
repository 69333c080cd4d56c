import { MCP_PATH, ROUTES } from '@septet/contract/routes'

import text from '../../content/llms.txt?raw'
import { READING_ORDER } from './docs/contents.ts'

const PAGES = READING_ORDER.map(({ href, title, summary }) => `- [${title}](${href})${summary && `: ${summary}`}`)

/** What Septet is and where what is written, for language models that read a site; see llmstxt.org. */
export const LLMS_TEXT = text
  .replace('{{documentation}}', PAGES.join('\n'))
  .replace('{{operations}}', String(Object.keys(ROUTES).length))
  .replace('{{mcp}}', MCP_PATH)

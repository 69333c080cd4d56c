// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has nothing to assign
import '../theme/reading.css'

import { addCopyButton } from './reading/copy-code.ts'
import { openTarget } from './reading/open-target.ts'
import { openSearchBox } from './reading/search-box.ts'

// The script of pages that are read: the documentation and the receipts. The first page does not load it.
openTarget()
addEventListener('hashchange', openTarget)
for (const block of document.querySelectorAll<HTMLElement>('[data-code]')) addCopyButton(block)
const search = document.querySelector<HTMLFormElement>('form[data-docs-search]')
if (search !== null) openSearchBox(search)

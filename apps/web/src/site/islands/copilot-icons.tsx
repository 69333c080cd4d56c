import type { ReactNode } from 'react'

import { lineIcon } from '../../ui/line-icon.tsx'
import type { CopilotIcon } from '../content/copilot.ts'

/** One line icon for each kind of question; the category beside it says the same in words. */
export const COPILOT_ICONS = {
  cost: lineIcon(
    <path d="M8 1.8v12.4M11.2 4.6C10.4 3.6 9.3 3.3 8 3.3c-1.8 0-3.1.8-3.1 2.2 0 3.2 6.3 1.5 6.3 4.9 0 1.5-1.4 2.3-3.2 2.3-1.4 0-2.6-.4-3.4-1.4" />,
  ),
  utilization: lineIcon(<path d="M2.2 11.8a6.2 6.2 0 1 1 11.6 0M8 10.6l2.8-4" />),
  workloads: lineIcon(<path d="M2.5 4h11M2.5 8h7.5M2.5 12h4.5" />),
  partitions: lineIcon(<path d="M2 4.5h12v7H2ZM8.8 4.5v7M12 4.5v7" />),
} satisfies Record<CopilotIcon, () => ReactNode>

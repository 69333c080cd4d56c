import type { Answer } from '../../api.ts'
import { ActiveWorkloadsPanel } from './ActiveWorkloadsPanel.tsx'
import { WaitsPanel } from './WaitsPanel.tsx'

type Props = { readonly active: Answer<'summaryGet'>['workloads']['active'] | undefined }

/** The end of the summary, which is loaded after what is seen first. */
export const LastPanels = ({ active }: Props) => (
  <>
    <ActiveWorkloadsPanel active={active} />
    <WaitsPanel />
  </>
)

import { Bone } from '../../ui/Bone.tsx'

/** Where the parts of a screen will be, one below the other, as tall as they will be. */
export const Bones = ({ heights }: { readonly heights: readonly string[] }) => (
  <output className="grid gap-4">
    <span className="sr-only">Loading</span>
    {heights.map((height) => (
      <Bone key={height} className={height} />
    ))}
  </output>
)

/** Who changes the layout of a GPU, which decides what a change disturbs. */
export type Actuator =
  /** Re-cuts whole GPUs: everything on a changed GPU is displaced, and the driver chooses where instances start. */
  | 'mig-manager'
  /** Creates and removes single instances at chosen placements beside running neighbors. */
  | 'dra'

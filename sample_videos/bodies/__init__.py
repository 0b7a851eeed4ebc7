"""Human bodies: CC0 mesh and rig, shaped by a few numbers, posed by names."""

// Replaced by the first suite of this target.

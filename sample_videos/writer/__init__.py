"""Writing games: sentences, scenes, whole legal games with planted violations."""

"""Pictures: software rendering of the table, sprites, acting, encoding."""

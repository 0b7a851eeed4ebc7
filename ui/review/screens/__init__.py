"""The pages, one module each with `show(now)`; a folder named `pages` would be served by Streamlit itself."""

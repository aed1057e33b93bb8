"""What the browser is sent before a page is drawn: Streamlit's own document with our script in it."""

"""How long a browser waits for an answer, beside a blank Streamlit page in the same run."""

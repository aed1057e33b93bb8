"""Many sessions that edit and programs that upload, at one server, over its real websockets."""

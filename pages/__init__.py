"""What people see: one thin file per page."""

"""What exposed communication costs, in GPU-hours and dollars."""

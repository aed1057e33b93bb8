"""What trusted stores show of themselves: killed, starved, damaged and away, nothing acknowledged is lost."""

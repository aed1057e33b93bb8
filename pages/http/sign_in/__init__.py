"""Signing in at an OpenID Connect provider, and the guard that lets nobody else pass."""

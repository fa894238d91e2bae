"""How examples are looked for: nothing is a fault only because a machine is slow, or compiles something first."""

from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

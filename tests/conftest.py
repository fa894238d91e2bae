"""The Hypothesis profile: no deadline, since a machine may be slow or still compiling."""

from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

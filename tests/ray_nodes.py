"""Two Ray nodes of one processor each on this machine. A line on standard input kills the second, its end ends both."""

import socket
import sys
from contextlib import ExitStack
from typing import Any

from ray.cluster_utils import Cluster

PORTS = ("metrics_agent_port", "metrics_export_port", "dashboard_agent_listen_port", "runtime_env_agent_port")


def node() -> dict[str, Any]:
    """A node's settings: its agents have their ports from here, as it dies where they take 15 seconds to find some."""
    with ExitStack() as taken:
        free = [taken.enter_context(socket.create_server(("", 0))).getsockname()[1] for _ in PORTS]
    return {"num_cpus": 1, "object_store_memory": 100 << 20, **dict(zip(PORTS, free, strict=True))}


def main() -> None:
    """Print the address, and do as told."""
    cluster: Any = Cluster(initialize_head=True, head_node_args=node())
    try:
        second = cluster.add_node(**node())
        print(cluster.address, flush=True)
        if sys.stdin.readline():
            cluster.remove_node(second, allow_graceful=False)
            print("killed", flush=True)
            sys.stdin.read()
    finally:
        cluster.shutdown()


if __name__ == "__main__":
    main()
